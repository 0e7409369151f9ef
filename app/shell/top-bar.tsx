import { Link } from "@remix-run/react";
import { ChevronRight, Search } from "lucide-react";
import { Brand } from "#app/components/brand.tsx";
import { paletteCopy } from "#app/copy/palette.ts";
import { shellCopy as copy } from "#app/copy/shell.ts";
import { useRailAppearance } from "#app/theme/use-theme.ts";
import { useCrumbs } from "./crumbs.ts";
import { JobPill } from "./job-pill.tsx";
import { MenuDrawer } from "./menu-drawer.tsx";
import { PaletteKey } from "./palette-key.tsx";
import type { ShellView } from "./shell-view.ts";
import { UserMenu } from "./user-menu.tsx";

/** Logo, crumbs, running jobs, the search, and the account menu. */
export function TopBar({
  shell,
  hasRail,
  onSearch,
  onSearchNear,
}: {
  shell: ShellView;
  hasRail: boolean;
  onSearch: () => void;
  /** The pointer or the focus has reached the search. */
  onSearchNear: () => void;
}) {
  const rail = useRailAppearance();
  return (
    <header className="top-bar">
      {hasRail && <MenuDrawer shell={shell} />}
      <Link
        className="top-bar__brand"
        data-appearance={hasRail ? rail : undefined}
        to="/"
        aria-label={copy.home}
      >
        <Brand />
      </Link>
      <Crumbs />
      <div className="top-bar__tools">
        <JobPill shell={shell} />
        {hasRail && (
          <button
            type="button"
            className="top-bar__search"
            aria-haspopup="dialog"
            aria-keyshortcuts="Control+K Meta+K"
            onPointerEnter={onSearchNear}
            onFocus={onSearchNear}
            onClick={onSearch}
          >
            <Search aria-hidden />
            <span className="top-bar__search-word">{paletteCopy.open}</span>
            <span aria-hidden>
              <PaletteKey />
            </span>
          </button>
        )}
        <UserMenu shell={shell} />
      </div>
    </header>
  );
}

function Crumbs() {
  const crumbs = useCrumbs();
  if (crumbs.length === 0) return null;
  return (
    <nav className="top-bar__crumbs" aria-label={copy.breadcrumb}>
      <ol>
        {crumbs.map(({ label, to }, index) => {
          const isLast = index === crumbs.length - 1;
          return (
            <li key={label}>
              {to && !isLast ? (
                <Link to={to}>{label}</Link>
              ) : (
                <span className="clip" aria-current={isLast ? "page" : undefined}>
                  {label}
                </span>
              )}
              {!isLast && <ChevronRight aria-hidden />}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
