import * as z from "zod/mini";
import { type BulkItem, bulkItemSchema } from "./bulk-items.schema.ts";

/*
 * The initial state of a bulk restore is kept in local storage, under the specification's keys (spec P-035 to P-038).
 * The list stores it and opens the page; the page clears it once the restore has started.
 */
const KEYS = {
  platform: "bulkPlatform",
  items: "selectedItem",
  place: "githubUser",
  type: "gitlabType",
  /** The connected account of the items; not in the spec. */
  account: "bulkAccount",
} as const;

/** The place of the selected items. */
const placeSchema = z.object({ id: z.string(), name: z.string() });

/** The selected items, and where they were selected. */
export type BulkOrder = {
  platform: string;
  /** The account of the list; null = the only one, or the oldest. */
  connectionId: string | null;
  items: BulkItem[];
  /** The place whose list it was; null on platforms without places. */
  place: z.output<typeof placeSchema> | null;
  /** The item kind of the list. */
  kind: string | null;
};

/** Stores the order for the page. */
export function storeBulkOrder(storage: Storage, order: BulkOrder): void {
  storage.setItem(KEYS.platform, order.platform);
  storage.setItem(KEYS.items, JSON.stringify(order.items));
  if (order.place) storage.setItem(KEYS.place, JSON.stringify(order.place));
  else storage.removeItem(KEYS.place);
  if (order.kind) storage.setItem(KEYS.type, order.kind);
  else storage.removeItem(KEYS.type);
  if (order.connectionId) storage.setItem(KEYS.account, order.connectionId);
  else storage.removeItem(KEYS.account);
}

/** The stored order; null when the platform or the items are missing or invalid (spec P-035, P-036). */
export function readBulkOrder(storage: Storage): BulkOrder | null {
  const platform = storage.getItem(KEYS.platform);
  const items = z.array(bulkItemSchema).safeParse(parsed(storage.getItem(KEYS.items)));
  if (!platform || !items.success || items.data.length === 0) return null;
  const place = placeSchema.safeParse(parsed(storage.getItem(KEYS.place)));
  return {
    platform,
    connectionId: storage.getItem(KEYS.account),
    items: items.data,
    place: place.success ? place.data : null,
    kind: storage.getItem(KEYS.type),
  };
}

/** Removes the stored order. */
export function clearBulkOrder(storage: Storage): void {
  for (const key of Object.values(KEYS)) storage.removeItem(key);
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}
