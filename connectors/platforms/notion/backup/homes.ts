import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { recordPaths } from "../record-paths.ts";

/** A page, row or template of a version. */
export type Home = { home: string; kind: "page" | "row" | "template" };

const KINDS: Readonly<Record<string, Home["kind"]>> = { page: "page", row: "row", template: "template" };

/** The homes of a version in path order, from after one of them; "" = from the first. */
export async function* homesAfter(previous: SnapshotView, after: string): AsyncGenerator<Home, void> {
  for (const prefix of [recordPaths.pages, recordPaths.sources]) {
    const isInside = after.startsWith(prefix);
    if (!isInside && after > prefix) continue;
    for await (const { path, kind } of previous.list(prefix, isInside ? `${after}\u{10FFFF}` : undefined)) {
      const known = KINDS[kind];
      if (known !== undefined) yield { home: path.slice(0, path.lastIndexOf("/") + 1), kind: known };
    }
  }
}

/** A share of the homes, after the given one and around the end. Each home appears at most once. */
export async function* shareOfHomes(
  previous: SnapshotView,
  { after, count }: { after: string; count: number },
): AsyncGenerator<Home, void> {
  let left = count;
  if (left <= 0) return;
  for await (const each of homesAfter(previous, after)) {
    yield each;
    left -= 1;
    if (left === 0) return;
  }
  if (after === "") return;
  for await (const each of homesAfter(previous, "")) {
    yield each;
    left -= 1;
    if (left === 0 || each.home >= after) return;
  }
}

/** The number of homes among the counts of a version. */
export function homesIn(counts: Readonly<Record<string, number>>): number {
  return Object.keys(KINDS).reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
}
