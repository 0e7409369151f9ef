import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { openStage, type RestoreStage } from "#connectors/toolkit/records/restore-stage.ts";
import type { IssueRecord } from "../record-types.ts";
import { readExtras } from "./fill-steps.ts";
import { isRefused } from "./rest-calls.ts";
import type { RestoreIo } from "./restore-io.ts";
import { sentence } from "./restore-names.ts";
import { issuesOf, madeOf } from "./restored-issues.ts";

/**
 * Links between issues, and their watchers, when everything else is done: a watcher is told of every later change. Both
 * calls may be repeated, so a stage that begins again makes nothing twice.
 */
export async function* restoreLinks(io: RestoreIo): AsyncGenerator<RestoreEvent, void> {
  const stage = await openStage<string>(io.journal, "links");
  if (!stage.isDone) {
    let done = 0;
    for await (const { path, issue } of issuesOf(io.snapshot, io.part, stage.at)) {
      const made = await madeOf(io.journal, issue.key);
      if (made !== null) {
        for (const link of linksOf(issue)) await restoreLink(io, stage, { issue, newKey: made.key, link });
        await restoreWatchers(io, stage, { issue, newKey: made.key });
      }
      done += 1;
      yield { type: "progress", progress: { phase: "Linking issues", done, total: null, unit: "items" } };
      if (await stage.step(path)) yield { type: "checkpoint" };
    }
    await stage.finish();
    yield { type: "checkpoint" };
  }
  yield* stage.events();
}

/** A link as one of its ends shows it. `isOutward` = this end shows the outward name. */
type Link = { typeName: string; otherKey: string; isOutward: boolean };

/** The links of an issue. Of a link between two issues of the version, only the outward end counts. */
export function linksOf({ fields }: IssueRecord): Link[] {
  return fields.issuelinks.flatMap(({ type, inwardIssue, outwardIssue }): Link[] => {
    const other = outwardIssue ?? inwardIssue;
    if (other === undefined) return [];
    return [{ typeName: type.name, otherKey: other.key, isOutward: outwardIssue !== undefined }];
  });
}

/** Where the other end of a link is: restored, outside of the version, or in the original project, which must not change. */
export function endOf(
  otherKey: string,
  { projectKey, targetKey, newKey }: { projectKey: string; targetKey: string; newKey: string | null },
): { type: "restored" | "outside"; key: string } | { type: "original" } {
  if (newKey !== null) return { type: "restored", key: newKey };
  const isOriginal = otherKey.slice(0, otherKey.lastIndexOf("-")) === projectKey;
  return isOriginal && targetKey !== projectKey ? { type: "original" } : { type: "outside", key: otherKey };
}

async function restoreLink(
  io: RestoreIo,
  stage: RestoreStage<string>,
  { issue, newKey, link }: { issue: IssueRecord; newKey: string; link: Link },
): Promise<void> {
  const made = await madeOf(io.journal, link.otherKey);
  const names = {
    projectKey: io.source.projectKey,
    targetKey: io.target.project.key,
    newKey: made?.key ?? null,
  };
  const end = endOf(link.otherKey, names);
  // The other end makes it.
  if (end.type === "restored" && !link.isOutward) return;
  const what = `Link of ${issue.key} to ${link.otherKey}`;
  if (end.type === "original") {
    const reason = "The other issue was not restored, and a link would change the original.";
    return stage.tell({ type: "changed", what, reason });
  }
  const [from, to] = link.isOutward ? [newKey, end.key] : [end.key, newKey];
  try {
    await io.calls.linkIssues({ typeName: link.typeName, from, to });
    stage.count("link");
  } catch (error) {
    if (!isRefused(error)) throw error;
    stage.tell({ type: "missing", what, reason: sentence(error.message) });
  }
}

async function restoreWatchers(
  io: RestoreIo,
  stage: RestoreStage<string>,
  { issue, newKey }: { issue: IssueRecord; newKey: string },
): Promise<void> {
  if (!io.answers.watchers) return;
  const { watchers } = await readExtras(io, issue);
  for (const { accountId, displayName } of watchers) {
    try {
      await io.calls.addWatcher(newKey, accountId);
      stage.count("watcher");
    } catch (error) {
      if (!isRefused(error)) throw error;
      stage.tell({
        type: "missing",
        what: `Watcher ${displayName} of ${issue.key}`,
        reason: sentence(error.message),
      });
    }
  }
}
