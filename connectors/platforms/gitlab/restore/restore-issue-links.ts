import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { openStage } from "#connectors/toolkit/records/restore-stage.ts";
import { paths } from "../client.ts";
import { issueSchema, linkedIssuesSchema } from "../payloads.ts";
import type { ProjectRecord } from "../read/project-record.ts";
import { recordPaths } from "../record-paths.ts";
import { findIssue, type IssuablesRestore } from "./restore-issues.ts";
import { isRefusal } from "./restore-refusal.ts";

/** Why a link to another project is not restored. */
const ELSEWHERE =
  "A link writes into the other issue too, and a restore changes nothing that exists. The version holds it.";
const NEW_NUMBER = "GitLab gave one of them a new number.";

/** Links the restored issues again, each pair once. Links to issues of other projects are reported. */
export async function* restoreIssueLinks(
  restore: IssuablesRestore,
  source: ProjectRecord,
): AsyncGenerator<RestoreEvent> {
  const { client, snapshot, journal, projectId } = restore;
  const stage = await openStage<string>(journal, "issue-links");
  if (!stage.isDone) {
    const before = stage.at ?? "";
    for await (const { path, kind } of snapshot.list(recordPaths.issuables("issue"))) {
      if (kind !== "issue-links" || path <= before) continue;
      const iid = Number(path.split("/").at(-2));
      for (const { iid: other, project_id, link_type, web_url } of linkedIssuesSchema.parse(
        await snapshot.readRecord(path),
      )) {
        if (String(project_id) !== source.id) {
          const what = `Link of the issue #${iid} to ${web_url ?? "an issue of another project"}`;
          stage.tell({ type: "impossible", what, reason: ELSEWHERE });
          continue;
        }
        // The record of the other issue has the same link.
        if (other < iid && (await snapshot.find(recordPaths.issueLinks(other))) !== null) continue;
        const what = `Link of the issues #${iid} and #${other}`;
        if (!(await hasNumber(restore, iid)) || !(await hasNumber(restore, other))) {
          stage.tell({ type: "missing", what, reason: NEW_NUMBER });
          continue;
        }
        const body = {
          target_project_id: projectId,
          target_issue_iid: other,
          ...(link_type ? { link_type } : {}),
        };
        const call = {
          method: "POST",
          path: paths.issueLinks(projectId, iid),
          body,
          about: "a link",
        } as const;
        try {
          await client.send({ ...call, missing: "forbidden" });
        } catch (error) {
          if (!isRefusal(error)) throw error;
          // 409: an earlier attempt made it.
          if (error.status !== 409) stage.tell({ type: "missing", what, reason: error.message });
        }
      }
      await stage.step(path);
      yield { type: "checkpoint" };
    }
    await stage.finish();
  }
  yield* stage.events();
}

/** Whether an issue has its number again. Only owners may choose numbers. */
async function hasNumber(restore: IssuablesRestore, iid: number): Promise<boolean> {
  const path = recordPaths.issuable("issue", iid);
  if ((await restore.snapshot.find(path)) === null) return false;
  const { title } = issueSchema.parse(await restore.snapshot.readRecord(path));
  return (await findIssue(restore, title, [iid])) !== null;
}
