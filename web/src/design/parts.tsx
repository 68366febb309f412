/** The parts that all pages are made of. */

import { useEffect, useRef, type ButtonHTMLAttributes, type ReactNode, type SelectHTMLAttributes } from "react";

type Tone = "plain" | "primary" | "approve" | "delete" | "quiet";

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly tone?: Tone;
  readonly keys?: string;
}

/** A button; `keys` names the key that does the same. A click leaves the focus where it was, so that keys go on working. */
export function Button({ tone = "plain", keys, children, className = "", ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={`button ${tone} ${className}`}
      aria-keyshortcuts={keys}
      onMouseDown={(event) => event.preventDefault()}
      {...rest}
    >
      {children}
      {keys && <Key>{keys}</Key>}
    </button>
  );
}

/** A list to choose from. Chosen by pointer, it gives the focus back, so that the next key is the page's and not a choice. */
export function Select({ onChange, ...rest }: SelectHTMLAttributes<HTMLSelectElement>) {
  const isPointed = useRef(false);
  return (
    <select
      onPointerDown={() => (isPointed.current = true)}
      onKeyDown={() => (isPointed.current = false)}
      onChange={(event) => {
        onChange?.(event);
        if (isPointed.current) event.target.blur();
      }}
      {...rest}
    />
  );
}

export function Key({ children }: { children: ReactNode }) {
  return <kbd aria-hidden="true">{children}</kbd>;
}

export function Badge({ tone = "plain", title, children }: { tone?: string; title?: string; children: ReactNode }) {
  return (
    <span className={`badge ${tone}`} title={title}>
      {children}
    </span>
  );
}

/** A share from 0 to 1 as a bar with its words. */
export function Meter({ label, value }: { label: string; value: number }) {
  return (
    <div className="meter">
      <span>{label}</span>
      <progress max={1} value={value} aria-label={label} />
      <span className="number">{Math.round(value * 100)}</span>
    </div>
  );
}

/** A window over the page; Escape and a click beside it close it. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
    >
      <div className="dialog-body">
        <header>
          <h2>{title}</h2>
          <Button tone="quiet" aria-label="Close" onClick={() => dialog.current?.close()}>
            ✕
          </Button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
