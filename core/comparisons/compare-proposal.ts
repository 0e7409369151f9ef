import type { FileTree } from "#connectors/contract/file-tree.ts";
import type { Proposal } from "#connectors/contract/thread-view.ts";
import { readView, type Viewed } from "#core/browsing/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { compareFile } from "./compare-file.ts";
import { commitsAhead, diffFiles } from "./compare-trees.ts";
import type { ProposalComparison } from "./views.ts";

/** A thread that proposes commits, and the file of it whose lines are shown. */
export type ProposalOrder = {
  viewId: string | null;
  partId: string;
  /** Path of a file; null = none. */
  path: string | null;
};

const NOTHING: ProposalComparison = {
  obstacle: null,
  commits: [],
  isMore: false,
  files: [],
  isFilesCut: false,
  file: null,
};

/**
 * The commits of a pull request and the files that they change, read from the version's own repository.
 *
 * @throws AppError `err.not.found` when the thread proposes no commits, or the file is not among those that they change;
 *   `err.version.unreadable`
 */
export async function compareProposalOf(
  open: Viewed,
  { viewId, partId, path }: ProposalOrder,
): Promise<ProposalComparison> {
  const proposal = await readView(open, { kind: "thread", id: viewId }, async (threads) => {
    return (await threads.thread(partId))?.proposal ?? null;
  });
  if (proposal === null) throw new AppError("err.not.found");
  return await readView(open, { kind: "files", id: proposal.tree }, (tree) =>
    compareProposal(tree, proposal, path),
  );
}

/** `compareProposalOf` for an opened tree. @throws AppError `err.not.found` when no such file was changed */
export async function compareProposal(
  tree: FileTree,
  proposal: Proposal,
  path: string | null,
): Promise<ProposalComparison> {
  const { obstacle } = tree;
  if (obstacle !== null) return { ...NOTHING, obstacle };
  const base = await baseOf(tree, proposal);
  if (base === null || !(await tree.has(proposal.head)))
    return { ...NOTHING, obstacle: "This version does not hold these commits." };
  const to = { tree, id: proposal.head };
  const { commits, shared, isMore } = await commitsAhead({ tree, id: base }, to);
  const from = shared === null ? null : { tree, id: shared };
  const files = from === null ? { files: [], isFilesCut: false } : await diffFiles(from, to);
  const file = path === null || from === null ? null : await compareFile(from, to, path);
  if (path !== null && file === null) throw new AppError("err.not.found");
  const plain = commits.map(({ id, title, author, at }) => ({ id, title, author, at }));
  return { obstacle: null, commits: plain, isMore, ...files, file };
}

/** A state of the branch that does not have the commits yet; null = the version has none. */
async function baseOf(tree: FileTree, { head, mergedAs, base, into }: Proposal): Promise<string | null> {
  // A fast-forward makes the newest proposed commit the branch's own: its parent may be proposed too.
  if (mergedAs !== null && mergedAs !== head && (await tree.has(mergedAs))) {
    const merge = await tree.history(mergedAs).next();
    const before = merge.done ? undefined : merge.value.parents[0];
    if (before !== undefined) return before;
  }
  if (base !== null && (await tree.has(base))) return base;
  return tree.refs.find(({ name }) => name === into)?.id ?? null;
}
