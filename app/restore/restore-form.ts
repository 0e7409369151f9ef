import * as z from "zod/mini";
import { restoreCopy } from "#app/copy/restore.ts";
import type { NameRule, PlatformDescriptor, RestoreTargetKind } from "#connectors/contract/descriptor.ts";
import type { RestoreAnswers, RestoreQuestion } from "#connectors/contract/restore-question.ts";
import type { HistoryRow } from "#core/backups/views.ts";
import type { PlaceView } from "#core/connections/views.ts";
import type { ItemView } from "#core/inventory/views.ts";
import { faultOf } from "#core/restores/restore-answers.schema.ts";
import type { AnswersOnWire } from "./answers-on-wire.ts";

/** The user's entries in the restore dialog. */
export type RestoreEntries = {
  snapshotId: string | null;
  /** The target: a new item, or the platform's id of an existing one; null = not chosen yet. */
  into: "new" | { externalId: string } | null;
  name: string;
  /** Id of one of our places; null = none selected. */
  placeId: string | null;
  emails: string;
  answers: RestoreAnswers;
};

export type RestoreRules = {
  /** Allowed targets; the first is the default. */
  targets: readonly RestoreTargetKind[];
  /** The user can select a place: the platform restores into places, and there are some. */
  offersPlace: boolean;
  /** The user must select a place (spec P-262, P-263). Otherwise the account's own place is the default. */
  needsPlace: boolean;
  /** Maximum length of a name in characters. */
  nameLimit: number;
  /** The platform's additional rule for names. */
  nameRule?: NameRule;
  /** The platform names the new item: forms neither request nor send a name (spec P-250, P-251). */
  isUnnamed?: boolean;
};

/** Shown in place of a name for items that get none. */
export const UNNAMED = "N/A";

/**
 * Returns a platform's rules for restoring items of a kind. `places` are the added ones.
 *
 * @param isPart A part of a version is restored.
 */
export function restoreRules(
  descriptor: PlatformDescriptor | undefined,
  kindId: string,
  places: readonly PlaceView[],
  isPart = false,
): RestoreRules {
  const { whole, parts } = descriptor?.supports.restores ?? { whole: ["new"], parts: null };
  const kind = descriptor?.itemKinds.find(({ id }) => id === kindId);
  // Items without a place are restored without one.
  const offersPlace =
    descriptor?.supports.restoreToPlace === true && kind?.isSub !== true && places.length > 0;
  return {
    targets: isPart ? (parts?.into ?? []) : whole,
    offersPlace,
    needsPlace: offersPlace && (descriptor.supports.places || !places.some(({ isOwn }) => isOwn)),
    nameLimit: descriptor?.limits.restoredNameLength ?? 100,
    // Items of second kinds have free-form titles, so the name rule does not apply.
    nameRule: kind?.isSub ? undefined : descriptor?.limits.restoredNameRule,
    isUnnamed: kind?.isUnnamed === true,
  };
}

/** The selected place. When no choice is required, the account's own place is preselected. */
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

/** The default name of a restored item (spec P-249). A long original is cut to make room for the suffix. */
export function defaultRestoreName(original: string, nameLimit: number): string {
  return `${original.slice(0, Math.max(0, nameLimit - SUFFIX.length))}${SUFFIX}`;
}

/** Maximum length of an e-mail address, as everywhere in the product (spec A-297). */
const addressSchema = z.email().check(z.maxLength(50));

/** The server's maximum number of addresses per restore. */
const ADDRESS_LIMIT = 10;

/** Splits a comma-separated list of addresses and removes all spaces (spec P-256, P-257). An empty list has none. */
export function readEmails(text: string): string[] {
  return text
    .replace(/\s/g, "")
    .split(",")
    .filter((address) => address !== "");
}

/**
 * Returns what is wrong with a comma-separated list of addresses (spec ), or null. An empty entry is an
 * invalid one, unless it is the last: then an address is missing after the comma.
 */
export function emailsFault(text: string): string | null {
  const list = text.replace(/\s/g, "");
  const entries = list.split(",");
  const written = entries.slice(0, entries.findLastIndex((entry) => entry !== "") + 1);
  if (written.some((entry) => !addressSchema.safeParse(entry).success)) return restoreCopy.emailInvalid;
  if (list.endsWith(",")) return restoreCopy.emailAfterComma;
  return written.length > ADDRESS_LIMIT ? restoreCopy.emailsTooMany(ADDRESS_LIMIT) : null;
}

/** What is wrong with a new name that is not empty (spec P-248, P-252 to P-255). */
function nameFault(typed: string, { nameLimit, nameRule, isUnnamed }: RestoreRules): string | null {
  const name = typed.trim();
  if (isUnnamed || name === "") return null;
  if (name.length > nameLimit) return restoreCopy.nameTooLong(nameLimit);
  if (!nameRule || new RegExp(`^(?:${nameRule.pattern})$`, "u").test(name)) return null;
  return nameRule.message;
}

/** Validation errors by field; null for valid fields. */
export function checkRestore(entries: RestoreEntries, rules: RestoreRules) {
  return {
    name: entries.into === "new" ? nameFault(entries.name, rules) : null,
    emails: emailsFault(entries.emails),
  };
}

/** Why Restore is disabled, the most important reason first; null when it is enabled (spec P-259 to P-265). */
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
  return entriesReason(entries, rules);
}

/** Returns why the entries are incomplete or invalid; null = they are valid. */
export function entriesReason(entries: RestoreEntries, rules: RestoreRules): string | null {
  const { reasons } = restoreCopy;
  if (entries.into === null) return reasons.target;
  const wrong = checkRestore(entries, rules);
  if (wrong.name !== null || wrong.emails !== null) return reasons.invalid;
  return entries.into === "new" && rules.needsPlace && entries.placeId === null ? reasons.place : null;
}

/** Returns what the first incomplete or invalid answer lacks; null = all answers are valid. */
export function answersReason(questions: readonly RestoreQuestion[], answers: RestoreAnswers): string | null {
  for (const question of questions) {
    const fault = faultOf(question, answers);
    if (fault?.kind === "too-long") return restoreCopy.reasons.invalid;
    if (fault !== null && question.type === "matching")
      return restoreCopy.matching.open(fault.count, question.things);
    if (fault !== null) return restoreCopy.reasons.choose(question.label);
  }
  return null;
}

/**
 * Returns the default target: a new item if that is the first option, else the source. `sourceId` is null for a whole
 * version, which has no default among the existing items.
 */
export function proposedTarget(
  { targets }: Pick<RestoreRules, "targets">,
  sourceId: string | null,
): RestoreEntries["into"] {
  if (targets[0] === "new") return "new";
  return sourceId === null ? null : { externalId: sourceId };
}

/** True when a target is the restored item itself or has its name, so that a restore makes duplicates (spec P-234). */
export function isSameItem(target: { name: string; isSource: boolean }, name: string | null): boolean {
  return target.isSource || target.name.trim().toLowerCase() === name?.trim().toLowerCase();
}

/** The versions that can be restored, in the given order (newest first). */
export function restorableVersions(rows: readonly HistoryRow[]): HistoryRow[] {
  return rows.filter(
    (row) => row.type === "backup" && row.status === "success" && row.canRestore && row.snapshotId !== null,
  );
}

/** The request body for restoring one item, in our field names (spec P-162). */
export function restoreRequest(
  item: Pick<ItemView, "id" | "name" | "placeId">,
  entries: RestoreEntries & { snapshotId: string },
  places: readonly PlaceView[],
  rules: RestoreRules,
  answered: AnswersOnWire = { options: entries.answers },
) {
  const { into } = entries;
  const place = into === "new" ? chosenPlace(places, entries.placeId, rules) : null;
  const name = entries.name.trim();
  return {
    items: [
      {
        itemId: item.id,
        snapshotId: entries.snapshotId,
        name: rules.isUnnamed ? null : name === "" ? defaultRestoreName(item.name, rules.nameLimit) : name,
        place: place && placeOnWire(place),
        ...(typeof into === "object" && into !== null ? { into: into.externalId } : {}),
        ...answered,
      },
    ],
    placeId: item.placeId,
    emails: readEmails(entries.emails).join(","),
  };
}

/** A place as requests carry it: the platform's id and the members of its row (spec P-162). */
export function placeOnWire({ externalId, name, type, facts }: PlaceView) {
  return { id: externalId, name, type, ...facts };
}
