import { z } from "zod";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { readNote } from "#connectors/toolkit/records/read-note.ts";
import type { IssueRecord } from "../record-types.ts";
import { type FoundIssue, ISSUES_PER_FETCH } from "./jira-calls.ts";
import type { RestoreIo } from "./restore-io.ts";
import { issuesOf, type MadeIssue, madeOf } from "./restored-issues.ts";

const countsSchema = z.record(z.string(), z.object({ same: z.number(), all: z.number() }));
const notedSchema = z.object({ at: z.string().nullable(), isDone: z.boolean(), counts: countsSchema });
type Counts = z.output<typeof countsSchema>;
const KEY = "compared";

/** Reads every restored issue back, by key, and compares it with the version. */
export async function* compareIssues(io: RestoreIo): AsyncGenerator<RestoreEvent, void> {
  const noted = (await readNote(io.journal, KEY, notedSchema)) ?? { at: null, isDone: false, counts: {} };
  if (!noted.isDone) {
    let batch: { issue: IssueRecord; made: MadeIssue }[] = [];
    const flush = async () => {
      const found = batch.length === 0 ? [] : await io.calls.issues(batch.map(({ made }) => made.key));
      const byKey = new Map(found.map((one) => [one.key, one]));
      for (const { issue, made } of batch)
        compare(io, noted.counts, { issue, made, there: byKey.get(made.key) ?? null });
      batch = [];
      await io.journal.record(KEY, structuredClone(noted));
    };
    for await (const { path, issue } of issuesOf(io.snapshot, io.part, noted.at)) {
      const made = await madeOf(io.journal, issue.key);
      if (made !== null) batch.push({ issue, made });
      noted.at = path;
      if (batch.length < ISSUES_PER_FETCH) continue;
      await flush();
      yield {
        type: "progress",
        progress: { phase: "Reading back", done: noted.counts.issues?.all ?? 0, total: null, unit: "items" },
      };
      yield { type: "checkpoint" };
    }
    noted.isDone = true;
    await flush();
  }
  for (const [what, { same, all }] of Object.entries(noted.counts))
    yield { type: "compared", what, same, all };
}

function compare(
  io: RestoreIo,
  counts: Counts,
  { issue, made, there }: { issue: IssueRecord; made: MadeIssue; there: FoundIssue | null },
): void {
  const tell = (what: string, isSame: boolean) => {
    const known = counts[what] ?? { same: 0, all: 0 };
    counts[what] = { same: known.same + Number(isSame), all: known.all + 1 };
  };
  const summary = issue.fields.summary.replace(/[\r\n]+/g, " ").trim();
  tell("issues", there !== null && (summary === "" || summary.startsWith(there.summary.trim())));
  const status = io.target.statusFor(issue.fields.status);
  if (status !== null) tell("statuses", there?.statusId === status.id);
  if (made.counts.attachment) tell("files of issues", there !== null && hasFiles(there, issue, made));
  if (made.counts.comment && there?.comments !== null)
    tell("comments of issues", (there?.comments ?? 0) >= made.counts.comment);
}

/** Every restored file is there, with the name and the size of the original. */
function hasFiles(there: FoundIssue, { fields }: IssueRecord, { files }: MadeIssue): boolean {
  const byId = new Map(there.attachments.map((file) => [file.id, file]));
  return fields.attachment.every(({ id, size }) => {
    const made = files[id];
    return made === undefined || byId.get(made)?.size === size;
  });
}
