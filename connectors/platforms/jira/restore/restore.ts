import { z } from "zod";
import type {
  RestoredItem,
  RestoreEvent,
  RestoreJournal,
  RestoreOrder,
  Session,
} from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { openMaker } from "#connectors/toolkit/records/make-once.ts";
import { readNote } from "#connectors/toolkit/records/read-note.ts";
import { accountOf } from "./account.ts";
import { readAnswers } from "./answers.ts";
import { compareIssues } from "./compare-issues.ts";
import { createIssues } from "./create-issues.ts";
import { fillIssues } from "./fill-issues.ts";
import { knownLines } from "./report-lines.ts";
import { restCalls } from "./rest-calls.ts";
import type { RestoreIo } from "./restore-io.ts";
import { restoreLinks } from "./restore-links.ts";
import { restoreNames } from "./restore-names.ts";
import { restoreOrder } from "./restore-order.ts";
import { madeOf, readIssue, requirePart } from "./restored-issues.ts";
import { readTarget } from "./target-frame.ts";
import { fullNameOf, openTarget, pageOf } from "./target-project.ts";
import { readFrame } from "./version-frame.ts";

/**
 * Restores the issues of a project, or one with its sub-tasks, into a project that exists or a new one. In an existing
 * project it only adds. Every creation is journaled before the next, so an attempt continues where the last one stopped.
 */
export async function* restore(
  session: Session,
  snapshot: SnapshotView,
  order: RestoreOrder,
  journal: RestoreJournal,
): AsyncGenerator<RestoreEvent, RestoredItem> {
  await requirePart(snapshot, order);
  const io = await openRestore(session, snapshot, order, journal);
  yield { type: "checkpoint" };
  if (io.target.project.isNew) yield { type: "restored", kind: "project", count: 1 };
  const names = yield* restoreNames(io);
  yield* createIssues(io, names);
  yield* fillIssues(io);
  yield* restoreLinks(io);
  yield* restoreOrder(io);
  yield* compareIssues(io);
  const { comment = 0, worklog = 0 } = snapshot.counts();
  yield* knownLines({
    ...{ hasComments: comment > 0, hasWorklogs: worklog > 0, answers: io.answers },
    ...{ isNew: io.target.project.isNew, isWhole: order.part === null },
  });
  return await restoredItem(io);
}

async function openRestore(
  session: Session,
  snapshot: SnapshotView,
  order: RestoreOrder,
  journal: RestoreJournal,
): Promise<RestoreIo> {
  const account = accountOf(session);
  const answers = readAnswers(order);
  const frame = await readFrame(snapshot);
  const calls = restCalls(session);
  const known = await readNote(journal, MARK, z.string());
  const mark = known ?? crypto.randomUUID();
  if (known === null) await journal.record(MARK, mark);
  const project = await openTarget({ calls, journal, frame, answers }, order, account);
  const target = await readTarget(calls, project, { frame, answers });
  const { siteUrl } = account;
  return {
    ...{ session, snapshot, journal, calls, answers, frame, target, siteUrl, mark, part: order.part },
    maker: openMaker(session, known !== null),
    source: { projectKey: frame.project.key, siteUrl },
  };
}

const MARK = "mark";

/** What people look for: the project, or the restored issue in it. */
async function restoredItem({ snapshot, journal, target, siteUrl, part }: RestoreIo): Promise<RestoredItem> {
  const { project } = target;
  const issue = part === null ? null : await readIssue(snapshot, part);
  const made = issue === null ? null : await madeOf(journal, issue.key);
  if (issue === null || made === null) {
    const fullName = fullNameOf(project);
    return { externalId: project.id, name: project.name, fullName, webUrl: project.url };
  }
  const fullName = `${made.key} · ${issue.fields.summary}`;
  return { externalId: made.id, name: issue.fields.summary, fullName, webUrl: pageOf(siteUrl, made.key) };
}
