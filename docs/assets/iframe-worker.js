// Browsers start no workers for a page that was opened as a file, and the search is one. There, its script runs in a
// hidden frame instead. (Material's offline plugin would fetch a shim like this from the network.)
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.appendChild(frame);
      this.inside = frame.contentWindow;
      // In a worker, `postMessage` tells the page.
      this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.begun = new Promise((resolve) => {
        const script = this.inside.document.createElement("script");
        script.onload = resolve;
        script.src = address;
        this.inside.document.body.appendChild(script);
      });
    }

    // Until the script has begun, nobody would hear it.
    postMessage(data) {
      this.begun.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })));
    }
  };
}
