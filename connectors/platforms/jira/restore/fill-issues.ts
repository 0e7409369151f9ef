import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { openStage, type RestoreStage } from "#connectors/toolkit/records/restore-stage.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { fillSteps } from "./fill-steps.ts";
import { isRefused } from "./rest-calls.ts";
import type { RestoreIo } from "./restore-io.ts";
import { sentence } from "./restore-names.ts";
import {
  type IssueLine,
  issuesOf,
  type MadeIssue,
  noteKey,
  noteOf,
  type VersionIssue,
} from "./restored-issues.ts";
import { pageOf } from "./target-project.ts";

/**
 * Brings everything that belongs to an issue once all issues exist: files, texts that show them or mention other issues,
 * comments, worklogs, web links, the status and last the resolution. The journal counts the steps, so a slice may end
 * between any two calls.
 */
export async function* fillIssues(io: RestoreIo): AsyncGenerator<RestoreEvent, void> {
  const stage = await openStage<string>(io.journal, "filled issues");
  const tellOnce = onceTeller(stage);
  if (!stage.isDone) {
    let done = 0;
    for await (const issue of issuesOf(io.snapshot, io.part, stage.at)) {
      const note = await noteOf(io.journal, issue.issue.key);
      if (note !== null && "refused" in note)
        stage.tell({ type: "missing", what: `Issue ${issue.issue.key}`, reason: note.refused });
      else if (note !== null) {
        yield* fillIssue(io, issue, note);
        report({ stage, tellOnce, siteUrl: io.siteUrl }, issue, note);
      }
      done += 1;
      yield { type: "progress", progress: { phase: "Filling issues", done, total: null, unit: "items" } };
      await stage.step(issue.path);
      yield { type: "checkpoint" };
    }
    await stage.finish();
  }
  yield* stage.events();
}

async function* fillIssue(
  io: RestoreIo,
  issue: VersionIssue,
  note: MadeIssue,
): AsyncGenerator<RestoreEvent, void> {
  const steps = await fillSteps(io, issue.issue, note);
  for (const step of steps.slice(note.done)) {
    try {
      const kind = await step.run();
      if (kind !== null) note.counts[kind] = (note.counts[kind] ?? 0) + 1;
    } catch (error) {
      if (!isRefused(error)) throw error;
      note.lines.push({
        type: "missing",
        what: `${step.what} of ${issue.issue.key}`,
        reason: sentence(error.message),
      });
    }
    note.done += 1;
    await io.journal.record(noteKey(issue.issue.key), structuredClone(note) as Json);
    yield { type: "checkpoint" };
  }
}

/** Tells a line that holds for many issues once. */
function onceTeller(stage: RestoreStage<string>): (line: IssueLine) => void {
  const told = new Set<string>();
  const keyOf = ({ what, reason }: { what: string; reason: string }) => `${what} ${reason}`;
  for (const event of stage.events()) if ("what" in event && "reason" in event) told.add(keyOf(event));
  return (line) => {
    if (told.has(keyOf(line))) return;
    told.add(keyOf(line));
    stage.tell(line);
  };
}

function report(
  {
    stage,
    tellOnce,
    siteUrl,
  }: { stage: RestoreStage<string>; tellOnce: (line: IssueLine) => void; siteUrl: string },
  { issue }: VersionIssue,
  note: MadeIssue,
): void {
  stage.count("issue");
  for (const [kind, count] of Object.entries(note.counts)) stage.count(kind, count);
  for (const line of note.lines) tellOnce(line);
  if (issue.key !== note.key)
    stage.tell({
      type: "mapped",
      kind: "issue",
      from: issue.key,
      to: note.key,
      url: pageOf(siteUrl, note.key),
    });
}
