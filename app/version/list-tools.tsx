import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { SearchField } from "#app/components/search-field.tsx";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { countText } from "#app/format/counts.ts";

/** One of the ways to show a list. */
export type ListWay = { id: string; label: string; to: string; isCurrent: boolean };

/** Above a list of a version: its search, the ways to show it, and how many there are. */
export function ListTools({
  search,
  onSearch,
  waysLabel,
  ways,
  count,
  words,
  children,
}: {
  search: string | null;
  onSearch: (search: string) => void;
  waysLabel: string;
  /** Shown when there is a choice. */
  ways: readonly ListWay[];
  /** Null = unknown. */
  count: number | null;
  words: { one: string; many: string };
  /** Actions on the whole list. */
  children?: ReactNode;
}) {
  return (
    <div className="list-toolbar browse-tools board-tools">
      <SearchField value={search ?? ""} label={copy.searchIn(words.many)} onSearch={onSearch} />
      {ways.length > 1 && (
        <nav className="state-links" aria-label={waysLabel}>
          {ways.map(({ id, label, to, isCurrent }) => (
            <Link key={id} to={to} aria-current={isCurrent ? "true" : undefined} preventScrollReset>
              {label}
            </Link>
          ))}
        </nav>
      )}
      {count !== null && (
        <span className="meta board-tools__count">
          {copy.inVersion(countText(count, words.one, words.many))}
        </span>
      )}
      {children}
    </div>
  );
}
