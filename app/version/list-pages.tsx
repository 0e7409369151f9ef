import { Link } from "@remix-run/react";
import { buttonClass } from "#app/components/button.tsx";
import { browseCopy as copy } from "#app/copy/browse.ts";

/** Links to the next page of a list and back to its first. */
export function ListPages({
  first,
  next,
  isPaused,
}: {
  /** URLs; null = this is the first page, or the last. */
  first: string | null;
  next: string | null;
  isPaused: boolean;
}) {
  return (
    <nav className="pagination" aria-label={copy.next}>
      <span role="status">{isPaused ? copy.paused : ""}</span>
      <span className="pagination__pages">
        {first !== null && (
          <Link className={buttonClass({ size: "s" })} to={first}>
            {copy.first}
          </Link>
        )}
        {next !== null && (
          <Link className={buttonClass({ size: "s" })} to={next}>
            {isPaused ? copy.goOn : copy.next}
          </Link>
        )}
      </span>
    </nav>
  );
}
