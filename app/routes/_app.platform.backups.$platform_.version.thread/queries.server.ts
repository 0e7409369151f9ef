import { type ShownNotes, shownNotes, shownText } from "#app/version/shown-texts.server.ts";
import {
  type OpenVersion,
  readThreadList,
  readThreadPage,
  type ThreadListPage,
  type ThreadPage,
} from "#core/browsing/index.ts";
import { compareProposalOf, type ProposalComparison } from "#core/comparisons/index.ts";

/** Parameters of the thread list, or the id of an open thread. */
export type ThreadAddress = {
  viewId: string | null;
  state: "open" | "closed" | null;
  search: string | null;
  after: string | null;
  /** Id of the open thread; null = the list. */
  part: string | null;
  /** How many notes stand before the shown ones, as the address says: for the words only. */
  before: number;
  /** Show as many notes as one page can hold. */
  isWhole: boolean;
  /** What of a proposal is shown in place of the conversation. */
  show: "commits" | "files" | null;
  /** Path of the proposal's file whose lines are shown. */
  file: string | null;
};

/** An opened thread with the HTML of its texts. */
export type ShownThread = Omit<ThreadPage, "notes"> & {
  html: string | null;
  notes: ShownNotes;
  /** The proposal's commits and files; null = they are not shown. */
  proposed: ProposalComparison | null;
};

/** A list of threads, or one of them. */
export type ThreadData = { list: ThreadListPage | null; opened: ShownThread | null };

/** Reads a list of threads, or one thread with its notes. @throws AppError `err.not.found` */
export async function readThreads(open: OpenVersion, address: ThreadAddress): Promise<ThreadData> {
  const { part, after, viewId, isWhole, show, file } = address;
  if (part === null) return { list: await readThreadList(open, address), opened: null };
  const page = await readThreadPage(open, { viewId, threadId: part, notesAfter: after, isWhole });
  const isProposal = page.thread.proposal !== null && show !== null;
  const proposed = isProposal ? await compareProposalOf(open, { viewId, partId: part, path: file }) : null;
  const texts = { html: shownText(page.thread.text), notes: shownNotes(page.notes) };
  return { list: null, opened: { ...page, ...texts, proposed } };
}
