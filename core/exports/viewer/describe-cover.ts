import type { EntryKinds } from "#connectors/contract/platform-connector.ts";
import type { View } from "#connectors/contract/view.ts";
import type { ViewerCover, ViewerLeftOut } from "./data.ts";
import { LONGEST_REASON, MOST_KINDS, MOST_LEFT_OUT } from "./limits.ts";
import { some } from "./shape-part.ts";

/** Something that a version does not have, and why. */
export type LeftOut = { path: string; kind: string; reason: string };

/** The views of the cover. A view has a count only if it is known without opening the view. */
export function coverViews(views: readonly View[]): ViewerCover["views"] {
  return views.map(({ kind, label, count }) => ({ kind, label, count }));
}

/** The counts of a version in words, in the order of its platform's kinds. The item does not count itself. */
export function insideOf(
  entryKinds: EntryKinds,
  counts: Readonly<Record<string, number>>,
  itemKind: string,
): string[] | undefined {
  const known = Object.entries(entryKinds).filter(([kind]) => kind !== itemKind && (counts[kind] ?? 0) > 0);
  return some(
    known.slice(0, MOST_KINDS).map(([kind, { one, many }]) => countText(counts[kind] ?? 0, one, many)),
  );
}

/** What a version does not have; undefined when it is complete. `count` may be more than the list names. */
export function leftOutOf(
  entryKinds: EntryKinds,
  skipped: readonly LeftOut[],
  count: number,
): ViewerLeftOut | undefined {
  if (count === 0) return undefined;
  // One line may stand for a folder of things, so kinds are named and not counted.
  const kinds = new Set(skipped.map(({ kind }) => entryKinds[kind]?.many ?? kind.replaceAll("-", " ")));
  const things = skipped
    .slice(0, MOST_LEFT_OUT)
    .map(({ path, reason }) => ({ path, reason: reason.slice(0, LONGEST_REASON).toWellFormed() }));
  return { kinds: [...kinds], things, count };
}

/** The place in a full name: everything before its last slash. */
export function placeOf(fullName: string): string | undefined {
  const end = fullName.lastIndexOf("/");
  return end > 0 ? fullName.slice(0, end) : undefined;
}

function countText(count: number, one: string, many: string): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}
