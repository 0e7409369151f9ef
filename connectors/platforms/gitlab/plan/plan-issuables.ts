import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { PlanSheet } from "#connectors/toolkit/records/plan-sheet.ts";
import { readSome, sampleFolder } from "#connectors/toolkit/records/sample-folder.ts";
import { issueSchema, mergeRequestSchema } from "../payloads.ts";
import { type IssuableKind, recordPaths } from "../record-paths.ts";
import { finishBody, NEW_DATES, NEW_NUMBERS, SYSTEM_NOTES } from "../restore/restore-issues.ts";
import { asIssuesLine, canBeReal, finishRequestBody } from "../restore/restore-merge-requests.ts";
import { readNotes } from "../restore/restore-notes.ts";
import { pacedMs } from "../restore/restore-pace.ts";

/** One sampled issue or merge request, and how a restore treats it. */
type Looked = {
  iid: number;
  /** Whether one more call closes or locks it at the end. */
  isFinished: boolean;
  /** Whether it can be restored as a merge request. */
  isReal: boolean;
  notes: number;
  /** How many of its notes are system notes. */
  system: number;
};
type Order = {
  snapshot: SnapshotView;
  branches: ReadonlySet<string>;
  /** GitLab lets only owners set numbers and dates. */
  isOwner: boolean;
};

/** Most notes to read of one thing when estimating its share of system notes. */
const MOST_NOTES = 20;

/** Plans the restore of issues and merge requests with their notes. */
export async function planIssuables(sheet: PlanSheet, order: Order): Promise<void> {
  const counts = order.snapshot.counts();
  const issues = counts.issue ?? 0;
  const requests = counts["merge-request"] ?? 0;
  const lookedIssues = await lookAround(sheet, order, { kind: "issue", count: issues });
  const lookedRequests = await lookAround(sheet, order, { kind: "merge-request", count: requests });

  const real = Math.round(scaled(lookedRequests, requests, ({ isReal }) => Number(isReal)));
  const looked = [...lookedIssues, ...lookedRequests];
  const all = looked.reduce((sum, { notes }) => sum + notes, 0);
  const system = looked.reduce((sum, one) => sum + one.system, 0);
  const written = Math.round((counts.note ?? 0) * (all === 0 ? 0 : 1 - system / all));
  sheet.creates("issue", issues + requests - real);
  sheet.creates("merge-request", real);
  sheet.creates("note", written);
  if (real < requests) sheet.tell(asIssuesLine(requests - real));
  if (system + (counts.event ?? 0) > 0) sheet.tell(SYSTEM_NOTES);
  if (!order.isOwner) {
    if (await hasGaps(order.snapshot, issues)) sheet.tell(NEW_NUMBERS);
    if (issues > 0) sheet.tell(NEW_DATES.issues);
    if (written > 0) sheet.tell(NEW_DATES.notes);
  }

  const created = issues + requests + written;
  sheet.spend({ writes: created, creations: created });
  sheet.spend({ writes: scaled(lookedIssues, issues, ({ isFinished }) => Number(isFinished)) });
  sheet.spend({ writes: scaled(lookedRequests, requests, ({ isFinished }) => Number(isFinished)) });
  // The check whether an earlier attempt created the first one.
  const [first] = lookedIssues;
  if (first !== undefined) sheet.spend({ reads: first.iid === 1 ? 1 : 2 });
  if (requests > 0) sheet.spend({ reads: 2 });
  const paced = (some: readonly Looked[]) => pacedMs(some.map(({ notes, system }) => notes - system));
  sheet.spend({ waitMs: await paced(lookedIssues) }, share(lookedIssues, issues));
  sheet.spend({ waitMs: await paced(lookedRequests) }, share(lookedRequests, requests));
}

/** Whether numbers are missing below the highest one, so that consecutive new numbers differ. */
async function hasGaps(snapshot: SnapshotView, issues: number): Promise<boolean> {
  const last = recordPaths.issuableFolder("issue", issues);
  // Lists what sorts after that folder: a number above the count means that there is a gap.
  for await (const _ of snapshot.list(recordPaths.issuables("issue"), `${last}~`)) return true;
  return false;
}

async function lookAround(
  sheet: PlanSheet,
  order: Order,
  { kind, count }: { kind: IssuableKind; count: number },
): Promise<Looked[]> {
  const { things, isWhole } = await sampleFolder(order.snapshot, {
    prefix: recordPaths.issuables(kind),
    count,
  });
  if (!isWhole) sheet.estimate();
  return await readSome(things, ({ number, folder }) => lookAt(sheet, order, { kind, number, folder }), 3);
}

async function lookAt(
  sheet: PlanSheet,
  { snapshot, branches }: Order,
  { kind, number, folder }: { kind: IssuableKind; number: number; folder: string },
): Promise<Looked> {
  const value = await snapshot.readRecord(recordPaths.issuable(kind, number));
  const paths: string[] = [];
  for await (const entry of snapshot.list(folder)) if (entry.kind === "note") paths.push(entry.path);
  const looked = paths.slice(0, MOST_NOTES);
  if (looked.length < paths.length) sheet.estimate();
  const read = (await readSome(looked, (path) => readNotes(snapshot, [path]), 2)).flat();
  const own = read.filter(({ system }) => system).length;
  const system = read.length === 0 ? 0 : Math.round((own / read.length) * paths.length);
  const facts = { iid: number, notes: paths.length, system };
  if (kind === "issue") {
    const isFinished = Object.keys(finishBody(issueSchema.parse(value))).length > 0;
    return { ...facts, isFinished, isReal: false };
  }
  const source = mergeRequestSchema.parse(value);
  const isFinished = Object.keys(finishRequestBody(source)).length > 0;
  return { ...facts, isFinished, isReal: canBeReal(source, branches) };
}

/** A sum over the sample, scaled to `count`. */
function scaled(looked: readonly Looked[], count: number, read: (one: Looked) => number): number {
  return looked.reduce((sum, one) => sum + read(one), 0) * share(looked, count);
}

/** How many things each sampled one stands for. */
function share(looked: readonly Looked[], count: number): number {
  return looked.length === 0 ? 0 : count / looked.length;
}
