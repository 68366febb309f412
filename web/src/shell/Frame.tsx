/** What all pages stand in: the name, the ways to other pages, the theme. */

import type { ReactNode } from "react";
import { Button } from "../design/parts";
import { type Choice, chooseTheme, useThemeChoice } from "../design/theme";
import { PAGES } from "./pages";
import { go } from "./route";

const NEXT: Record<Choice, Choice> = { auto: "light", light: "dark", dark: "auto" };
const SHOWN: Record<Choice, string> = { auto: "◐", light: "☀", dark: "☾" };

export function Frame({ page, aside, children }: { page: string; aside?: ReactNode; children: ReactNode }) {
  const choice = useThemeChoice();
  return (
    <div className="frame">
      <header className="top">
        <a
          className="brand"
          href="/"
          onClick={(event) => {
            event.preventDefault();
            go("/puzzles");
          }}
        >
          <span className="brand-mark" aria-hidden="true" />
          playmill
        </a>
        <nav aria-label="Pages">
          {PAGES.map(({ name, title }) => (
            <a
              key={name}
              href={`/${name}`}
              aria-current={name === page ? "page" : undefined}
              onClick={(event) => {
                event.preventDefault();
                go(`/${name}`);
              }}
            >
              {title}
            </a>
          ))}
        </nav>
        <div className="top-aside">{aside}</div>
        <Button
          tone="quiet"
          className="theme-button"
          aria-label={`Theme: ${choice}`}
          title={`Theme: ${choice}`}
          onClick={() => chooseTheme(NEXT[choice])}
        >
          {SHOWN[choice]}
        </Button>
      </header>
      {children}
    </div>
  );
}
