/** What is shown in place of a page that failed: one line, and the way out, instead of nothing. */

import { Component, type ReactNode } from "react";

export class Mishap extends Component<{ children: ReactNode }, { line: string }> {
  override state = { line: "" };

  static getDerivedStateFromError(error: unknown): { line: string } {
    return { line: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    if (!this.state.line) return this.props.children;
    return (
      <p className="waiting" role="alert">
        This is a bug in the page: {this.state.line}. <a href="/">Start again</a>; games and decisions are kept.
      </p>
    );
  }
}
