import { pagingCopy } from "#app/copy/shared.ts";
import { Button } from "./button.tsx";

/** "Showing 1 to 10 of 18" (spec P-067). Pages start at 0. */
export function footerText(page: number, perPage: number, total: number): string {
  if (total === 0) return pagingCopy.showing(0, 0, 0);
  const from = page * perPage + 1;
  return pagingCopy.showing(from, Math.min(from + perPage - 1, total), total);
}

/** Footer of a paged table. A single page has no buttons. */
export function Pagination({
  page,
  perPage,
  total,
  onPage,
}: {
  page: number;
  perPage: number;
  total: number;
  onPage: (page: number) => void;
}) {
  const isFirst = page === 0;
  const isLast = (page + 1) * perPage >= total;
  return (
    <nav className="pagination" aria-label={pagingCopy.label}>
      <span role="status">{footerText(page, perPage, total)}</span>
      {!(isFirst && isLast) && (
        <span className="pagination__pages">
          <Button size="s" aria-disabled={isFirst} onClick={() => onPage(page - 1)}>
            {pagingCopy.previous}
          </Button>
          <Button size="s" aria-disabled={isLast} onClick={() => onPage(page + 1)}>
            {pagingCopy.next}
          </Button>
        </span>
      )}
    </nav>
  );
}
