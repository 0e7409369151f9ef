import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { compareCopy as copy } from "#app/copy/compare.ts";
import { visibleName } from "#app/format/visible-text.ts";
import type { TipComparison } from "#core/comparisons/views.ts";
import { ChangeMark } from "./change-mark.tsx";

/** Files that differ. Each opens in place and shows `children` below its name. */
export function ChangedFiles({
  list: { files, isFilesCut },
  openPath,
  to,
  children,
}: {
  list: Pick<TipComparison, "files" | "isFilesCut">;
  openPath: string | null;
  /** The URL with this file open; null = with none. */
  to: (path: string | null) => string;
  children: ReactNode;
}) {
  return (
    <>
      <ul className="tips__files">
        {files.map(({ path, change }) => {
          const isOpen = path === openPath;
          return (
            <li key={`${change}${path}`} className={isOpen ? "is-open" : undefined}>
              <ChangeMark change={change} />
              <Link
                className="mono-meta"
                dir="auto"
                preventScrollReset
                aria-expanded={isOpen}
                title={copy.open}
                to={to(isOpen ? null : path)}
              >
                {visibleName(path)}
              </Link>
              {isOpen && children}
            </li>
          );
        })}
      </ul>
      {isFilesCut && <p className="meta">{copy.filesCut}</p>}
    </>
  );
}
