import { z } from "zod";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { openStage, type RestoreStage } from "#connectors/toolkit/records/restore-stage.ts";
import { paths } from "../client.ts";
import { recordPaths } from "../record-paths.ts";
import { listThreads } from "./list-threads.ts";
import type { RestoreIo } from "./restore-io.ts";
import { isRefusal } from "./restore-refusal.ts";
import { issueSchema } from "./restored-records.ts";
import { titleOf } from "./thread-draft.ts";

const newSchema = z.object({
  id: z.int(),
  title: z.string(),
  parent_issue_url: z.string().nullish(),
  issue_dependencies_summary: z.object({ total_blocked_by: z.int() }).nullish(),
});
type NewIssue = z.output<typeof newSchema>;
type IssueRecord = z.output<typeof issueSchema>;

const ELSEWHERE =
  "The other issue is in another repository, where a restore writes nothing. The version names it.";
const NEW_NUMBER = "One of them has another number now, or was not restored.";

/** Restores which issues are sub-issues of others, and which block others, within the repository. */
export async function* restoreRelations(
  io: RestoreIo,
  { sourceName }: { sourceName: string },
): AsyncGenerator<RestoreEvent> {
  const stage = await openStage<number>(io.journal, "relations");
  if (!stage.isDone) {
    for await (const { source, number, folder } of listThreads(io.snapshot)) {
      if (source !== "issue" || number <= (stage.at ?? 0)) continue;
      const issue = issueSchema.parse(await io.snapshot.readRecord(`${folder}issue.json`));
      if (issue.parent_issue_url === null && issue.blocked_by.length === 0) continue;
      await relate(io, stage, { issue, sourceName });
      await stage.step(number);
      yield { type: "checkpoint" };
    }
    await stage.finish();
  }
  yield* stage.events();
}

async function relate(
  io: RestoreIo,
  stage: RestoreStage<number>,
  { issue, sourceName }: { issue: IssueRecord; sourceName: string },
): Promise<void> {
  const { created } = io;
  const own = await findNew(io, issue.number);
  if (issue.parent_issue_url !== null) {
    const what = `#${issue.number} as a sub-issue`;
    const parent = numberIn(issue.parent_issue_url, sourceName);
    const path = parent === null ? null : paths.subIssues(created.fullName, parent);
    const body = own && { sub_issue_id: own.id };
    const isThere = Boolean(own?.parent_issue_url);
    await connect(io, stage, { what, other: parent, path, body, isThere });
  }
  const isBlocked = (own?.issue_dependencies_summary?.total_blocked_by ?? 0) >= issue.blocked_by.length;
  for (const { html_url } of issue.blocked_by) {
    const what = `What blocks #${issue.number}`;
    const other = numberIn(html_url, sourceName);
    const blocker = other === null || own === null ? null : await findNew(io, other);
    const path = other === null ? null : paths.blockers(created.fullName, issue.number);
    const body = blocker && { issue_id: blocker.id };
    await connect(io, stage, { what, other, path, body, isThere: isBlocked });
  }
}

/** Makes one connection, unless an earlier attempt has made it. */
async function connect(
  io: RestoreIo,
  stage: RestoreStage<number>,
  order: { what: string; other: number | null; path: string | null; body: object | null; isThere: boolean },
): Promise<void> {
  const { what, other, path, body, isThere } = order;
  if (path === null || other === null) {
    stage.tell({ type: "impossible", what, reason: ELSEWHERE });
    return;
  }
  if (isThere) return;
  if (body === null || (await findNew(io, other)) === null) {
    stage.tell({ type: "missing", what: `${what} (#${other})`, reason: NEW_NUMBER });
    return;
  }
  try {
    await io.client.send({ method: "POST", path, body, about: what, missing: "forbidden" });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    stage.tell({ type: "missing", what: `${what} (#${other})`, reason: error.message });
  }
}

/** The restored issue of a number; null when another thread has the number, or none. */
async function findNew({ client, created, snapshot }: RestoreIo, number: number): Promise<NewIssue | null> {
  const path = recordPaths.issue(number);
  if ((await snapshot.find(path)) === null) return null;
  const { title } = issueSchema.parse(await snapshot.readRecord(path));
  try {
    const call = { method: "GET", path: paths.issue(created.fullName, number), about: `#${number}` } as const;
    const found = await client.request(call, newSchema);
    return found.title === titleOf(title) ? found : null;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return null;
  }
}

/** The number of an issue of the original, from its address; null = it is elsewhere. */
function numberIn(url: string, sourceName: string): number | null {
  const [, name, number] = /\/([^/]+\/[^/]+)\/issues\/([0-9]+)$/.exec(url) ?? [];
  return name?.toLowerCase() === sourceName.toLowerCase() ? Number(number) : null;
}
