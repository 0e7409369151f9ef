import { useCallback, useEffect, useMemo, useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
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
import { fetchPlaces, fetchRestorePoints } from "./calls.ts";

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
  change: (id: string, change: Partial<Pick<BulkItem, "name" | "intoName" | "ver" | "verDate">>) => void;
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
  const [points, setPoints] = useState<RestorePoints | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [places, setPlaces] = useState<readonly PlaceView[]>([]);
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const [round, setRound] = useState(0);
  const ids = chosen.map(({ id }) => id);
  const unknown = points === null || ids.some((id) => points[id] === undefined);
  const key = unknown ? ids.join() : "";

  // biome-ignore lint/correctness/useExhaustiveDependencies: -- the key represents the ids; a new round refetches
  useEffect(() => {
    if (ids.length === 0) return;
    const flight = new AbortController();
    setFailure(null);
    fetchRestorePoints(platform, ids, flight.signal).then(setPoints, (cause: unknown) => {
      if (flight.signal.aborted) return;
      if (!(cause instanceof ApiError)) throw cause;
      setFailure(cause.message);
    });
    return () => flight.abort();
  }, [platform, key, round]);

  useEffect(() => {
    // Items without a place are restored without one.
    if (kind.isSub) return;
    const flight = new AbortController();
    /* If this fails, each item is restored to its own place, the server's default. */
    fetchPlaces({ platform, connectionId }, kind.id, flight.signal).then(setPlaces, (cause: unknown) => {
      if (!flight.signal.aborted && !(cause instanceof ApiError)) throw cause;
    });
    return () => flight.abort();
  }, [platform, connectionId, kind.id, kind.isSub]);

  useLiveEvents((signal) => {
    if (signal.kind === "resync") return setRound((count) => count + 1);
    const { event } = signal;
    setBusy((before) => busyAfter(before, event));
    const isNewVersion =
      event.method === "item-status" && event.type === "backup" && event.status === "success";
    if (isNewVersion && ids.includes(event.id)) setRound((count) => count + 1);
  });

  const items = useMemo(() => withVersions(chosen, points ?? {}), [chosen, points]);
  const retry = useCallback(() => setRound((count) => count + 1), []);
  return {
    items,
    points: unknown ? null : points,
    failure,
    retry,
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
