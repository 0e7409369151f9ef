import type { ObjectStore } from "./object-store.ts";
import { type GitCommit, parseCommit, parseTag } from "./parse-object.ts";

/** A commit with its object name. */
export type WalkedCommit = GitCommit & { oid: string };

/** Maximum length of a chain of tags. */
const MOST_TAGS = 10;

/** Reads a commit. @throws GitPackError */
export async function readCommit(store: ObjectStore, oid: string): Promise<GitCommit> {
  return parseCommit((await store.read(oid)).bytes, store.objectFormat);
}

/** Follows tags to the object that a ref finally points to. @throws GitPackError */
export async function peel(
  store: ObjectStore,
  oid: string,
): Promise<{ oid: string; type: "commit" | "tree" | "blob" | "tag" }> {
  let at = oid;
  for (let i = 0; i < MOST_TAGS; i++) {
    const { type } = await store.facts(at);
    if (type !== "tag") return { oid: at, type };
    at = parseTag((await store.read(at)).bytes, store.objectFormat).object;
  }
  return { oid: at, type: "tag" };
}

/** Walks the history back from a tip, newest first by commit time, each commit once. */
export async function* walkCommits(store: ObjectStore, tip: string): AsyncGenerator<WalkedCommit, void> {
  const seen = new Set<string>();
  const waiting: WalkedCommit[] = [];
  async function add(oid: string): Promise<void> {
    if (seen.has(oid)) return;
    seen.add(oid);
    // A truncated history ends where its packs end.
    if (!(await store.has(oid))) return;
    waiting.push({ ...(await readCommit(store, oid)), oid });
  }
  await add(tip);
  while (waiting.length > 0) {
    let newest = 0;
    for (let i = 1; i < waiting.length; i++)
      if (waiting[i]!.committer.at > waiting[newest]!.committer.at) newest = i;
    const [commit] = waiting.splice(newest, 1);
    yield commit!;
    for (const parent of commit!.parents) await add(parent);
  }
}
