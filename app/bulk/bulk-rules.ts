import { bulkCopy } from "#app/copy/bulk-restore.ts";
import type { AnswersOnWire } from "#app/restore/answers-on-wire.ts";
import { defaultRestoreName, placeOnWire, readEmails } from "#app/restore/restore-form.ts";
import type { ItemKind, PlatformDescriptor } from "#connectors/contract/descriptor.ts";
import type { PlaceView } from "#core/connections/views.ts";
import type { ItemView } from "#core/inventory/views.ts";
import type { LiveEvent } from "#core/live/events.schema.ts";
import type { BulkItem } from "./bulk-items.schema.ts";

/** The maximum number of items selected from a list at a time (spec P-289, the smaller reading). */
export const CHOSEN_AT_A_TIME = 10;
/** The maximum number of items in one restore (spec P-290, the larger reading). The server rejects more. */
export const MOST_ITEMS = 50;

/** A version that can be selected. */
export type RestorePoint = { snapshotId: string; date: number; sizeBytes: number };

/** The versions of each item, newest first. */
export type RestorePoints = Readonly<Record<string, readonly RestorePoint[]>>;

export type NameRules = Pick<PlatformDescriptor["limits"], "restoredNameLength" | "restoredNameRule"> & {
  /** Restores go into existing items: each has a target instead of a new name. */
  isIntoExisting: boolean;
  /** New items have no name field, so no name is validated. */
  isUnnamed: boolean;
};

/** The rules for the new names, or the targets, of one kind of item. */
export function bulkRules({ limits, supports }: PlatformDescriptor, kind: ItemKind): NameRules {
  const isIntoExisting = supports.restores.whole[0] === "existing";
  return { ...limits, isIntoExisting, isUnnamed: !isIntoExisting && kind.isUnnamed === true };
}

/** Converts a listed item for the bulk restore, with its default name. A target must be chosen by the user. */
export function bulkItemOf(
  item: ItemView,
  isSub: boolean,
  { restoredNameLength, isIntoExisting }: Pick<NameRules, "restoredNameLength" | "isIntoExisting">,
): BulkItem {
  return {
    id: item.id,
    idName: item.name,
    name: isIntoExisting ? "" : defaultRestoreName(item.name, restoredNameLength),
    ver: "",
    verDate: null,
    isGist: isSub,
    projectTypeKey: item.typeKey ?? null,
    matchedColumns: [],
    intoName: "",
    isSame: false,
    tags: [...item.tags],
    isOpen: item.isOpen,
  };
}

/** Why these items cannot be restored together; null = they can. */
export function refusalOf(items: readonly ItemView[]): string | null {
  if (items.length > CHOSEN_AT_A_TIME) return bulkCopy.tooMany;
  const never = items.find((item) => item.lastBackupAt === null);
  return never ? bulkCopy.neverBackedUp(never.name) : null;
}

/**
 * Selects the newest version for every item whose selected version is missing. Returns the same array when nothing
 * changes.
 */
export function withVersions(items: readonly BulkItem[], points: RestorePoints): readonly BulkItem[] {
  const next = items.map((item) => {
    const own = points[item.id];
    if (!own || own.some(({ snapshotId }) => snapshotId === item.ver)) return item;
    return { ...item, ver: own[0]?.snapshotId ?? "", verDate: own[0]?.date ?? null };
  });
  return next.some((item, at) => item !== items[at]) ? next : items;
}

/** What is wrong with a new name; null when it is valid. An empty name is not an error here. */
export function nameFault(name: string, rules: NameRules): string | null {
  const typed = name.trim();
  if (rules.isUnnamed || rules.isIntoExisting || typed === "") return null;
  if (typed.length > rules.restoredNameLength) return `At most ${rules.restoredNameLength} characters.`;
  const rule = rules.restoredNameRule;
  return rule && !new RegExp(`^(?:${rule.pattern})$`, "u").test(typed) ? rule.message : null;
}

/** Why step 2 is not available, the most important reason first (spec P-236 to P-238); null = it is available. */
export function continueReason(
  items: readonly BulkItem[],
  points: RestorePoints | null,
  rules: NameRules,
): string | null {
  const { reasons } = bulkCopy;
  if (items.length === 0) return reasons.items;
  if (points === null) return reasons.loading;
  if (items.some((item) => item.ver === "")) return reasons.version;
  if (!rules.isUnnamed && items.some((item) => item.name.trim() === ""))
    return rules.isIntoExisting ? reasons.target : reasons.name;
  return items.some((item) => nameFault(item.name, rules) !== null) ? reasons.wrongName : null;
}

/**
 * Updates the items that cannot be restored because of a running job (spec P-203) with one event. Returns the same set
 * when nothing changes.
 */
export function busyAfter(busy: ReadonlySet<string>, event: LiveEvent): ReadonlySet<string> {
  if (event.method !== "item-status") return busy;
  const isOpen = event.status === "queued" || event.status === "running";
  if (isOpen === busy.has(event.id)) return busy;
  const next = new Set(busy);
  if (isOpen) next.add(event.id);
  else next.delete(event.id);
  return next;
}

/** The request body, in our field names. */
export function bulkRequest(
  items: readonly BulkItem[],
  {
    place,
    emails,
    answersOf,
    rules,
  }: {
    place: PlaceView | null;
    emails: string;
    /** The complete answers for an item, as the request carries them. */
    answersOf: (itemId: string) => AnswersOnWire;
    rules: Pick<NameRules, "isUnnamed" | "isIntoExisting">;
  },
) {
  const { isUnnamed, isIntoExisting } = rules;
  return {
    items: items.map((item) => ({
      itemId: item.id,
      snapshotId: item.ver,
      name: isUnnamed || isIntoExisting ? null : item.name.trim(),
      ...(isIntoExisting ? { into: item.name } : {}),
      place: place && placeOnWire(place),
      ...answersOf(item.id),
    })),
    placeId: null,
    emails: readEmails(emails).join(","),
  };
}
