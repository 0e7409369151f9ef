import type { FileCommit, FileNode, FileTree, FileTreeRef } from "#connectors/contract/file-tree.ts";
import { MOST_COMMITS, MOST_FILES, MOST_REFS, MOST_REFS_WALKED } from "./limits.ts";
import type { FileDifference, RefDifference, TipComparison, TreeDifference } from "./views.ts";

/** Branches and tags that were created, moved or deleted, and whether their history was rewritten. */
export async function compareTree(before: FileTree | null, after: FileTree | null): Promise<TreeDifference> {
  const old = new Map(before?.refs.map((ref) => [ref.name, ref]));
  const young = new Map(after?.refs.map((ref) => [ref.name, ref]));
  const names = [...new Set([...young.keys(), ...old.keys()])];
  const isDefault = (name: string) => (young.get(name) ?? old.get(name))?.isDefault === true;
  // The default branch comes first, so that no limit drops it.
  const moved = names
    .filter((name) => old.get(name)?.id !== young.get(name)?.id)
    .sort((a, b) => Number(isDefault(b)) - Number(isDefault(a)));
  const canWalk = before !== null && after !== null && before.obstacle === null && after.obstacle === null;
  const refs: RefDifference[] = [];
  let walked = 0;
  for (const name of moved.slice(0, MOST_REFS)) {
    const [left, right] = [old.get(name) ?? null, young.get(name) ?? null];
    const row = rowOf(left, right);
    const sides = canWalk && walked < MOST_REFS_WALKED ? sidesOf(before, after, left, right) : null;
    if (sides !== null) {
      walked += 1;
      const { gained, lost, isMore } = await walkBoth(sides);
      if (right) row.gained = { count: gained.length, isMore };
      if (left) row.lost = { count: lost.length, isMore };
      if (left && right) row.isRewritten = lost.length > 0;
      row.against = sides.against;
    }
    refs.push(row);
  }
  const obstacle = before?.obstacle ?? after?.obstacle ?? null;
  return { obstacle, refs, refCount: moved.length };
}

/**
 * How two tips of a ref differ: the commits that only one of them has, and the files. A branch that only one version
 * has is compared with the default branch, by commits alone.
 */
export async function compareTips(
  before: FileTree,
  after: FileTree,
  name: string,
): Promise<TipComparison | null> {
  const [left, right] = refsOf(before, after, name);
  const sides = sidesOf(before, after, left, right);
  if (sides === null) return null;
  const { gained, lost, isMore } = await walkBoth(sides);
  const plain = ({ id, title, author, at }: FileCommit) => ({ id, title, author, at });
  const tips: TipComparison = {
    against: sides.against,
    gained: right ? gained.map(plain) : [],
    lost: left ? lost.map(plain) : [],
    isMore,
    files: [],
    isFilesCut: false,
  };
  if (!left || !right) return tips;
  return { ...tips, ...(await diffFiles(sides.left, sides.right)) };
}

/** A tree at one commit. */
export type TreeState = { tree: FileTree; id: string };

/** The files that differ between two states. */
export async function diffFiles(
  left: TreeState,
  right: TreeState,
): Promise<Pick<TipComparison, "files" | "isFilesCut">> {
  const files: FileDifference[] = [];
  const [a, b] = [await left.tree.find(left.id, ""), await right.tree.find(right.id, "")];
  if (!a || !b) return { files, isFilesCut: false };
  for await (const file of diffNodes({ tree: left.tree, node: a }, { tree: right.tree, node: b }, "")) {
    if (files.length === MOST_FILES) return { files, isFilesCut: true };
    files.push(file);
  }
  return { files, isFilesCut: false };
}

/**
 * The commits that a tip has and another state has not, newest first, and the newest state that both share; null = they
 * share none.
 */
export async function commitsAhead(
  from: TreeState,
  to: TreeState,
): Promise<{ commits: FileCommit[]; shared: string | null; isMore: boolean }> {
  const { gained, isMore } = await walkBoth({ left: from, right: to });
  const own = new Set(gained.map(({ id }) => id));
  const parents = gained.flatMap((commit) => commit.parents).filter((id) => !own.has(id));
  if (gained.length === 0) return { commits: gained, shared: to.id, isMore };
  if (new Set(parents).size === 1) return { commits: gained, shared: parents[0]!, isMore };
  // A branch that merged the other one shares several commits with it: the newest one counts.
  const shared = new Set(parents);
  let seen = 0;
  for await (const { id } of from.tree.history(from.id)) {
    seen += 1;
    if (shared.has(id)) return { commits: gained, shared: id, isMore };
    if (seen === MOST_COMMITS) break;
  }
  return { commits: gained, shared: null, isMore };
}

/** A ref in both versions. */
export function refsOf(
  before: FileTree,
  after: FileTree,
  name: string,
): [left: FileTreeRef | null, right: FileTreeRef | null] {
  const inTree = ({ refs }: FileTree) => refs.find((ref) => ref.name === name) ?? null;
  return [inTree(before), inTree(after)];
}

type Sides = {
  left: TreeState;
  right: TreeState;
  /** Label of the default branch that replaces a side without the ref. */
  against: string | null;
};

/**
 * The two tips to compare. A branch that one version does not have is compared with the newer version's default branch.
 */
function sidesOf(
  before: FileTree,
  after: FileTree,
  left: FileTreeRef | null,
  right: FileTreeRef | null,
): Sides | null {
  if ((left ?? right)?.kind === "note") return null;
  const main = after.refs.find(({ isDefault }) => isDefault) ?? null;
  const base = main === null || main.name === (left ?? right)?.name ? null : { tree: after, id: main.id };
  const [a, b] = [left && { tree: before, id: left.id }, right && { tree: after, id: right.id }];
  if (a && b) return { left: a, right: b, against: null };
  const known = a ?? b;
  if (base === null || main === null || known === null) return null;
  return { left: a ?? base, right: b ?? base, against: main.label };
}

function rowOf(left: FileTreeRef | null, right: FileTreeRef | null): RefDifference {
  const { name, label, kind } = (right ?? left)!;
  return {
    name,
    label,
    kind,
    isDefault: right?.isDefault ?? left?.isDefault ?? false,
    change: left === null ? "added" : right === null ? "removed" : "changed",
    before: left?.id ?? null,
    after: right?.id ?? null,
    isRewritten: null,
    gained: null,
    lost: null,
    against: null,
  };
}

/**
 * Commits that only one side has. Usually the newer history contains the older tip, or the other way round. Otherwise
 * both are followed back to where they meet; ancestors of a shared commit are shared.
 */
async function walkBoth({ left, right }: Pick<Sides, "left" | "right">) {
  const young = await collect(right, left.id);
  const old = await collect(left, right.id);
  const olds = new Set(old.commits.map(({ id }) => id));
  const youngs = new Set(young.commits.map(({ id }) => id));
  const sharedYoung = sharedWith(young.commits, olds);
  const sharedOld = sharedWith(old.commits, youngs);
  const isClosed = young.met || old.met || sharedYoung.size > 0;
  return {
    gained: old.met ? [] : young.commits.filter(({ id }) => !olds.has(id) && !sharedYoung.has(id)),
    lost: young.met ? [] : old.commits.filter(({ id }) => !youngs.has(id) && !sharedOld.has(id)),
    isMore: !isClosed && (young.isFull || old.isFull),
  };
}

/** History from one tip to the other, or up to the limit. An annotated tag's own id is never reached; its commit is. */
async function collect({ tree, id }: TreeState, until: string) {
  const commits: FileCommit[] = [];
  for await (const commit of tree.history(id)) {
    commits.push(commit);
    if (commit.id === until) return { commits, met: true, isFull: false };
    if (commits.length >= MOST_COMMITS) return { commits, met: false, isFull: true };
  }
  return { commits, met: false, isFull: false };
}

/** Ancestors of a commit that the other side has belong to the other side too. */
function sharedWith(own: FileCommit[], other: ReadonlySet<string>): Set<string> {
  const shared = new Set<string>();
  for (const { id, parents } of own) {
    if (other.has(id) || shared.has(id)) for (const parent of parents) shared.add(parent);
  }
  return shared;
}

type Side = { tree: FileTree; node: FileNode };

/** Files that differ below two folders. Folders with the same content id are not opened. */
async function* diffNodes(a: Side, b: Side, path: string): AsyncGenerator<FileDifference, void> {
  if (a.node.id === b.node.id) return;
  const [left, right] = [await childrenOf(a), await childrenOf(b)];
  for (const name of [...new Set([...left.keys(), ...right.keys()])].sort()) {
    const [old, young] = [left.get(name) ?? null, right.get(name) ?? null];
    const below = path === "" ? name : `${path}/${name}`;
    if (old?.id === young?.id && old?.kind === young?.kind) continue;
    if (old?.kind === "folder" && young?.kind === "folder") {
      yield* diffNodes({ ...a, node: old }, { ...b, node: young }, below);
      continue;
    }
    if (old && young && old.kind !== "folder" && young.kind !== "folder") {
      yield { path: below, change: "changed" };
      continue;
    }
    if (old) yield* all({ ...a, node: old }, below, "removed");
    if (young) yield* all({ ...b, node: young }, below, "added");
  }
}

async function childrenOf({ tree, node }: Side): Promise<Map<string, FileNode>> {
  if (node.kind !== "folder") return new Map();
  return new Map((await tree.list(node.id)).map((child) => [child.name, child]));
}

async function* all(
  side: Side,
  path: string,
  change: FileDifference["change"],
): AsyncGenerator<FileDifference, void> {
  if (side.node.kind !== "folder") {
    yield { path, change };
    return;
  }
  for (const node of (await childrenOf(side)).values())
    yield* all({ ...side, node }, `${path}/${node.name}`, change);
}
