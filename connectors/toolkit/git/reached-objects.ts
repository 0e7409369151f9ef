import type { ObjectStore } from "./object-store.ts";
import { parseCommit, parseTag, parseTree } from "./parse-object.ts";

/** The commits and tags that some objects lead to, and what these name beyond history. */
export type History = {
  /** `met`: every commit of `until` was found. `cut`: there are more than `most`. `whole`: neither. */
  kind: "whole" | "met" | "cut";
  /** Names of the commits and tags. */
  seen: Set<string>;
  /** Their folders, and those that refs name themselves. */
  trees: Set<string>;
  /** Files that refs name themselves. */
  blobs: Set<string>;
};

/**
 * Walks back from these objects, through commits and tags, in the order of their distance. Folders are not opened.
 *
 * @param rules `until`: stop when all of these were found. `except`: do not enter these.
 * @throws GitPackError
 */
export async function walkHistory(
  store: ObjectStore,
  tips: readonly string[],
  rules: { until?: readonly string[]; except?: ReadonlySet<string>; most: number },
): Promise<History> {
  const { until = [], except, most } = rules;
  const missing = new Set(until);
  const history: History = { kind: "whole", seen: new Set(), trees: new Set(), blobs: new Set() };
  const waiting: string[] = [];
  const add = (oid: string) => {
    if (history.seen.has(oid) || except?.has(oid)) return;
    history.seen.add(oid);
    missing.delete(oid);
    waiting.push(oid);
  };
  for (const tip of tips) add(tip);
  for (let at = 0; at < waiting.length; at++) {
    if (until.length > 0 && missing.size === 0) return { ...history, kind: "met" };
    if (at >= most) return { ...history, kind: "cut" };
    await visit(store, waiting[at]!, history, add);
  }
  return until.length > 0 && missing.size === 0 ? { ...history, kind: "met" } : history;
}

async function visit(
  store: ObjectStore,
  oid: string,
  { seen, trees, blobs }: History,
  add: (oid: string) => void,
): Promise<void> {
  const { type } = await store.facts(oid);
  switch (type) {
    case "commit": {
      const { tree, parents } = parseCommit((await store.read(oid)).bytes, store.objectFormat);
      trees.add(tree);
      for (const parent of parents) add(parent);
      return;
    }
    case "tag":
      return add(parseTag((await store.read(oid)).bytes, store.objectFormat).object);
    case "tree":
      seen.delete(oid);
      trees.add(oid);
      return;
    case "blob":
      seen.delete(oid);
      blobs.add(oid);
      return;
    default:
      return type satisfies never;
  }
}

/** The names of all objects that a whole history reaches, its folders and files included. @throws GitPackError */
export async function markReached(
  store: ObjectStore,
  { seen, trees, blobs }: Pick<History, "seen" | "trees" | "blobs">,
): Promise<Set<string>> {
  const reached = new Set([...seen, ...blobs]);
  const waiting = [...trees];
  for (let tree = waiting.pop(); tree !== undefined; tree = waiting.pop()) {
    if (reached.has(tree)) continue;
    reached.add(tree);
    for (const { kind, oid } of parseTree((await store.read(tree)).bytes, store.objectFormat)) {
      if (kind === "folder") waiting.push(oid);
      else if (kind !== "submodule") reached.add(oid);
    }
  }
  return reached;
}
