import * as z from "zod/mini";
import { restoreCopy } from "#app/copy/restore.ts";
import type { NameRule, PlatformDescriptor } from "#connectors/contract/descriptor.ts";
import type { HistoryRow } from "#core/backups/views.ts";
import type { ItemView, PlaceView } from "#core/inventory/views.ts";

/** What a person has entered in the restore dialog. */
export type RestoreEntries = {
  snapshotId: string | null;
  name: string;
  /** Id of one of our places; null = none chosen. */
  placeId: string | null;
  emails: string;
  options: Readonly<Record<string, boolean>>;
};

export type RestoreRules = {
  /** A place can be chosen: the platform restores into places and there are some. */
  offersPlace: boolean;
  /** One has to be chosen (spec P-262, P-263); otherwise the account's own is taken. */
  needsPlace: boolean;
  /** Longest name in characters. */
  nameLimit: number;
  /** What else the platform asks of a name. */
  nameRule?: NameRule;
  /** The platform names the new item itself: nothing is asked and nothing sent (spec P-250, P-251). */
  isUnnamed?: boolean;
};

/** What a person sees as the name of an item that gets none. */
export const UNNAMED = "N/A";

/** The rules of a platform for restoring items of a kind; `places` are those that were added. */
export function restoreRules(
  descriptor: PlatformDescriptor | undefined,
  kindId: string,
  places: readonly PlaceView[],
): RestoreRules {
  const kind = descriptor?.itemKinds.find(({ id }) => id === kindId);
  // What lies in no place comes back into none.
  const offersPlace =
    descriptor?.supports.restoreToPlace === true && kind?.isSub !== true && places.length > 0;
  return {
    offersPlace,
    needsPlace: offersPlace && (descriptor.supports.places || !places.some(({ type }) => type === "User")),
    nameLimit: descriptor?.limits.restoredNameLength ?? 100,
    // Second kinds carry titles, which platforms leave free.
    nameRule: kind?.isSub ? undefined : descriptor?.limits.restoredNameRule,
    isUnnamed: kind?.isUnnamed === true,
  };
}

/** The place that stands chosen: where none has to be chosen, the account's own does from the beginning. */
export function chosenPlace(
  places: readonly PlaceView[],
  placeId: string | null,
  { offersPlace, needsPlace }: Pick<RestoreRules, "offersPlace" | "needsPlace">,
): PlaceView | null {
  if (!offersPlace) return null;
  const chosen = places.find(({ id }) => id === placeId) ?? null;
  return chosen ?? (needsPlace ? null : (places[0] ?? null));
}

const SUFFIX = "_restored";

/** The name of a restored item when none is given (spec P-249); an over-long original gives way to the suffix. */
export function defaultRestoreName(original: string, nameLimit: number): string {
  return `${original.slice(0, Math.max(0, nameLimit - SUFFIX.length))}${SUFFIX}`;
}

/** Longest address, as everywhere in the product (spec A-297). */
const addressSchema = z.email().check(z.maxLength(50));

/** Most addresses of one restore, as the server takes them. */
const ADDRESS_LIMIT = 10;

/** The addresses of a comma list with all spaces stripped (spec P-256, P-257); an empty list has none. */
export function readEmails(text: string): string[] {
  return text
    .replace(/\s/g, "")
    .split(",")
    .filter((address) => address !== "");
}

/** What is wrong with a comma list of addresses (spec ); null when nothing is. */
function emailsFault(text: string): string | null {
  const emails = readEmails(text);
  if (emails.some((address) => !addressSchema.safeParse(address).success)) return restoreCopy.emailInvalid;
  if (/,\s*$/.test(text)) return restoreCopy.emailAfterComma;
  return emails.length > ADDRESS_LIMIT ? restoreCopy.emailsTooMany(ADDRESS_LIMIT) : null;
}

/** What is wrong with a new name, once it is not left empty (spec P-248, P-252 to P-255). */
function nameFault(typed: string, { nameLimit, nameRule, isUnnamed }: RestoreRules): string | null {
  const name = typed.trim();
  if (isUnnamed || name === "") return null;
  if (name.length > nameLimit) return restoreCopy.nameTooLong(nameLimit);
  if (!nameRule || new RegExp(`^(?:${nameRule.pattern})$`, "u").test(name)) return null;
  return nameRule.message;
}

/** What is wrong with the entries, by field; null where nothing is. */
export function checkRestore(entries: RestoreEntries, rules: RestoreRules) {
  return {
    name: nameFault(entries.name, rules),
    emails: emailsFault(entries.emails),
  };
}

/** Why Restore cannot be pressed, the most important reason first; null when it can (spec P-259 to P-265). */
export function restoreReason(
  entries: RestoreEntries,
  rules: RestoreRules,
  isBusy: boolean,
  versions: readonly HistoryRow[],
): string | null {
  const { reasons } = restoreCopy;
  if (isBusy) return reasons.busy;
  const version = versions.find((row) => row.snapshotId !== null && row.snapshotId === entries.snapshotId);
  if (version === undefined) return reasons.version;
  if (!version.canRestore) return reasons.forbidden;
  const wrong = checkRestore(entries, rules);
  if (wrong.name !== null || wrong.emails !== null) return reasons.invalid;
  if (rules.needsPlace && entries.placeId === null) return reasons.place;
  return null;
}

/** The versions a person may choose from: restorable backups, newest first as given. */
export function restorableVersions(rows: readonly HistoryRow[]): HistoryRow[] {
  return rows.filter(
    (row) => row.type === "backup" && row.status === "success" && row.canRestore && row.snapshotId !== null,
  );
}

/** What is sent to restore one item, under our field names (spec P-162). */
export function restoreRequest(
  item: Pick<ItemView, "id" | "name" | "placeId">,
  entries: RestoreEntries & { snapshotId: string },
  places: readonly PlaceView[],
  rules: RestoreRules,
) {
  const place = chosenPlace(places, entries.placeId, rules);
  const name = entries.name.trim();
  return {
    items: [
      {
        itemId: item.id,
        snapshotId: entries.snapshotId,
        name: rules.isUnnamed ? null : name === "" ? defaultRestoreName(item.name, rules.nameLimit) : name,
        place:
          place === null
            ? null
            : { id: place.externalId, name: place.name, node_id: place.nodeId, type: place.type },
        options: entries.options,
      },
    ],
    placeId: item.placeId,
    emails: readEmails(entries.emails).join(","),
  };
}
