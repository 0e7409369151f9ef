import { Link } from "@remix-run/react";
import { ArrowRight, GitCompare } from "lucide-react";
import { Button, buttonClass } from "#app/components/button.tsx";
import { historyCopy } from "#app/copy/history.ts";
import { comparePath } from "#app/version/address.ts";
import type { ItemView } from "#core/inventory/views.ts";
import type { Ticks } from "./use-ticks.ts";

const copy = historyCopy.compare;

/**
 * The way from the history to a comparison. Without ticks it says what to do, at the same height, so that no row moves
 * under the pointer.
 */
export function CompareBar({
  item,
  ticks,
  textOf,
}: {
  item: Pick<ItemView, "id" | "platform">;
  ticks: Ticks;
  /** The words for a version's moment. */
  textOf: (at: number) => string;
}) {
  const [older, newer] = ticks.rows;
  if (older === undefined) return <p className="compare-hint meta">{copy.hint}</p>;
  return (
    <div className="selection-bar compare-bar" data-appearance="dark" role="toolbar" aria-label={copy.label}>
      <strong role="status">{copy.ticked(ticks.rows.length)}</strong>
      <span className="mono-meta compare-bar__what">
        {textOf(older.date)}
        {newer !== undefined && (
          <>
            <ArrowRight className="icon-s" aria-hidden />
            {textOf(newer.date)}
          </>
        )}
      </span>
      <span className="gap" />
      <Button variant="ghost" onClick={ticks.clear}>
        {copy.clear}
      </Button>
      {newer === undefined ? (
        <Button variant="solid" reason={copy.second}>
          {copy.action}
        </Button>
      ) : (
        <Link
          className={buttonClass({ variant: "solid" })}
          to={comparePath(
            { platform: item.platform, itemId: item.id },
            { from: older.snapshotId, to: newer.snapshotId },
          )}
        >
          <GitCompare aria-hidden />
          {copy.action}
        </Link>
      )}
    </div>
  );
}
