import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useLastingQuery } from "#app/api/use-lasting-query.ts";
import type { BulkItem } from "#app/bulk/bulk-items.schema.ts";
import {
  bulkItemOf,
  busyAfter,
  MOST_ITEMS,
  type NameRules,
  type RestorePoints,
  withVersions,
} from "#app/bulk/bulk-rules.ts";
import type { BulkOrder } from "#app/bulk/bulk-storage.ts";
import { useLiveEvents } from "#app/live/use-live-events.tsx";
import type { ItemKind } from "#connectors/contract/descriptor.ts";
import type { PlaceView } from "#core/connections/views.ts";
import type { ItemView } from "#core/inventory/views.ts";
import { bulkPlacesQuery, restorePointsQuery } from "./bulk-queries.ts";

const NO_PLACES: readonly PlaceView[] = [];

/** The state of both steps. */
export type BulkState = {
  items: readonly BulkItem[];
  /** Null while loading. */
  points: RestorePoints | null;
  failure: string | null;
  retry: () => void;
  places: readonly PlaceView[];
  /** Items with a running backup or restore. */
  busy: ReadonlySet<string>;
  change: (
    id: string,
    change: Partial<Pick<BulkItem, "name" | "intoName" | "isSame" | "ver" | "verDate">>,
  ) => void;
  remove: (id: string) => void;
  add: (items: readonly ItemView[], rules: NameRules) => void;
};

/**
 * The items of a bulk restore with their versions. Versions are fetched in one call, and again when items are added or
 * a backup succeeds.
 */
export function useBulkOrder(order: BulkOrder, kind: ItemKind): BulkState {
  const { platform, connectionId } = order;
  const [chosen, setChosen] = useState<readonly BulkItem[]>(order.items);
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const ids = chosen.map(({ id }) => id);
  /* Removing an item asks nothing again. */
  const [asked, setAsked] = useState(ids);
  if (ids.some((id) => !asked.includes(id))) setAsked(ids);
  const { data: points = null, error, refetch } = useLastingQuery(restorePointsQuery(platform, asked));
  const unknown = points === null || ids.some((id) => points[id] === undefined);

  /* Items without a place are restored without one. If this fails, each is restored to its own, the server's default. */
  const placesQuery = bulkPlacesQuery({ platform, connectionId }, kind.id);
  const { data: places = NO_PLACES } = useQuery({ ...placesQuery, enabled: !kind.isSub });

  useLiveEvents((signal) => {
    if (signal.kind === "resync") return refetch();
    const { event } = signal;
    setBusy((before) => busyAfter(before, event));
    const isNewVersion =
      event.method === "item-status" && event.type === "backup" && event.status === "success";
    if (isNewVersion && ids.includes(event.id)) refetch();
  });

  const items = useMemo(() => withVersions(chosen, points ?? {}), [chosen, points]);
  return {
    items,
    points: unknown ? null : points,
    failure: error?.message ?? null,
    retry: refetch,
    places,
    busy,
    change: (id, change) => setChosen(items.map((item) => (item.id === id ? { ...item, ...change } : item))),
    remove: (id) => setChosen(items.filter((item) => item.id !== id)),
    add: (added, rules) => {
      const known = new Set(ids);
      const fresh = added.filter(({ id }) => !known.has(id));
      setChosen([...items, ...fresh.map((item) => bulkItemOf(item, kind.isSub, rules))].slice(0, MOST_ITEMS));
    },
  };
}
