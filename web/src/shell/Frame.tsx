/** What all pages stand in: the name, the ways to other pages, the theme. */

import { type ReactNode, useState } from "react";
import { Button, Dialog } from "../design/parts";
import { type Choice, chooseTheme, useThemeChoice } from "../design/theme";
import { KeyList } from "./KeyList";
import { activeKeys, useKeys } from "./keys";
import { Link } from "./Link";
import { type PageName, TITLES, usePages } from "./pages";

const NEXT: Record<Choice, Choice> = { auto: "light", light: "dark", dark: "auto" };
const SHOWN: Record<Choice, string> = { auto: "◐", light: "☀", dark: "☾" };

export function Frame({ page, aside, children }: { page: string; aside?: ReactNode; children: ReactNode }) {
  const choice = useThemeChoice();
  const found = usePages();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const hasOwnHelp = page === "puzzles";
  useKeys(hasOwnHelp ? [] : [{ keys: ["?"], shown: "?", does: "this help", act: () => setHelpOpen(true) }]);
  const pages: readonly PageName[] = found && typeof found !== "string" ? found.names : [];
  return (
    <div className="frame">
      <header className="top">
        <Link className="brand" to="/" aria-label="playmill">
          <span className="brand-mark" aria-hidden="true" />
          <span className="brand-name">playmill</span>
        </Link>
        {pages.length > 1 && (
          <nav aria-label="Pages">
            {pages.map((name) => (
              <Link key={name} to={`/${name}`} aria-current={name === page ? "page" : undefined}>
                {TITLES[name]}
              </Link>
            ))}
          </nav>
        )}
        <div className="top-aside">{aside}</div>
        {!hasOwnHelp && (
          <Button tone="quiet" className="bar-button keys-button" aria-label="Keys" title="Keys (?)" onClick={() => setHelpOpen(true)}>
            ?
          </Button>
        )}
        <Button
          tone="quiet"
          className="bar-button theme-button"
          aria-label={`Theme: ${choice}`}
          title={`Theme: ${choice}`}
          onClick={() => chooseTheme(NEXT[choice])}
        >
          {SHOWN[choice]}
        </Button>
      </header>
      {children}
      {isHelpOpen && (
        <Dialog title="Keys" onClose={() => setHelpOpen(false)}>
          <KeyList actions={activeKeys()} />
        </Dialog>
      )}
    </div>
  );
}
