import { useNavigate } from "@remix-run/react";
import { X } from "lucide-react";
import { useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import { bulkItemOf, bulkRules, refusalOf } from "#app/bulk/bulk-rules.ts";
import { storeBulkOrder } from "#app/bulk/bulk-storage.ts";
import { Button } from "#app/components/button.tsx";
import { IconButton } from "#app/components/icon-button.tsx";
import { notify } from "#app/components/toasts.ts";
import { selectionCopy as copy, itemsCopy } from "#app/copy/items.ts";
import { loadCalls } from "./lazy-calls.ts";
import type { ListFrame } from "./list-frame.ts";
import { restoreReasonOf } from "./row-actions.tsx";
import { canSelectAll, NOTHING_SELECTED, SELECT_ALL_LIMIT, type Selection, withItems } from "./selection.ts";
import { wordsOf } from "./words.ts";

/**
 * Actions for the selected rows (spec P-069 to P-074). The bar replaces the filters, and the header's actions are
 * hidden. Nothing below it moves, otherwise the next click would hit another row.
 */
export default function SelectionBar({
  page,
  query,
  selection,
  total,
  isTokenValid,
  setSelection,
  actions,
  onOpen,
}: Pick<ListFrame, "page" | "query" | "actions" | "onOpen"> & {
  selection: Selection;
  /** The number of rows on all pages. */
  total: number;
  isTokenValid: boolean;
  setSelection: (selection: Selection) => void;
}) {
  const items = [...selection.values()];
  const [only] = items;
  const [isLoading, setIsLoading] = useState(false);
  const navigate = useNavigate();

  async function selectAll() {
    setIsLoading(true);
    try {
      const { fetchItems } = await loadCalls();
      const all = await fetchItems(
        { platform: page.platform, connectionId: query.connectionId },
        { ...query, page: 0, after: null, before: null },
        { perPage: SELECT_ALL_LIMIT },
      );
      setSelection(withItems(selection, all.items, true));
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      notify(cause.message, { tone: "bad" });
    }
    setIsLoading(false);
  }

  const lost = isTokenValid ? null : itemsCopy.reconnectFirst;
  const refusal = items.length > 1 ? (lost ?? refusalOf(items)) : null;
  const may = { canManage: page.canManage, isTokenValid };
  const restoreReason = only && items.length === 1 ? restoreReasonOf(only, may) : null;

  function restore() {
    if (items.length === 1) return only && onOpen({ kind: "restore", item: only });
    if (!page.entitlements.hasProFeatures) return onOpen({ kind: "upgrade" });
    if (refusal !== null) return notify(refusal, { tone: "bad" });
    const { descriptor, kind } = wordsOf(page.platform, query.kind);
    const place = page.places.find(({ id }) => id === query.placeId);
    storeBulkOrder(localStorage, {
      platform: page.platform,
      connectionId: query.connectionId,
      items: items.map((item) => bulkItemOf(item, kind.isSub, bulkRules(descriptor, kind))),
      place: place ? { id: place.id, name: place.name } : null,
      kind: kind.id,
    });
    navigate("/bulk-restore");
  }

  return (
    <div className="selection-bar" data-appearance="dark" role="toolbar" aria-label={copy.label}>
      <IconButton label={copy.clear} onClick={() => setSelection(NOTHING_SELECTED)}>
        <X aria-hidden />
      </IconButton>
      <strong role="status">{copy.selected(items.length)}</strong>
      <Button
        variant="ghost"
        className="all"
        isBusy={isLoading}
        reason={canSelectAll(total) ? null : copy.tooMany}
        onClick={() => void selectAll()}
      >
        {copy.all(total)}
      </Button>
      <span className="gap" />
      <Button variant="ghost" onClick={() => actions.setDaily(items, false)}>
        {copy.deactivate}
      </Button>
      <Button variant="ghost" onClick={() => actions.setDaily(items, true)}>
        {copy.activate}
      </Button>
      <span className="rule-v" />
      <Button variant="solid" reason={restoreReason} onClick={restore}>
        {copy.restore}
      </Button>
      <Button variant="ghost" className="bad-t" onClick={() => onOpen({ kind: "delete", items })}>
        {copy.remove}
      </Button>
    </div>
  );
}
