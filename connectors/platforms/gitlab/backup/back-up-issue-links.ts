import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import { isOutOfReach } from "#connectors/toolkit/records/run-stages.ts";
import { paths } from "../client.ts";
import { type GitlabNote, linkedIssuesSchema } from "../payloads.ts";
import { recordForm } from "../record-form.ts";
import { recordPaths } from "../record-paths.ts";

/**
 * Whether a note of the system says that the issue was linked: "marked this issue as related to #9", "as blocking #9"
 * (GitLab, app/services/system_notes/issuables_service.rb). So an issue without one needs no request.
 */
export function saysLinked({ system, body }: Pick<GitlabNote, "system" | "body">): boolean {
  return system && /\b(?:relat|block)/i.test(body);
}

/** The issues that an issue is linked to, in one record. */
export async function* backUpIssueLinks(
  client: HttpClient,
  { projectId, iid, wasLinked }: { projectId: string; iid: number; wasLinked: boolean },
): AsyncGenerator<BackupEvent, void> {
  const path = recordPaths.issueLinks(iid);
  const kind = "issue-links";
  const about = `the links of the issue #${iid}`;
  try {
    const call = {
      method: "GET",
      path: paths.issueLinks(projectId, iid),
      about,
      missing: "forbidden",
    } as const;
    const links = await client.request(call, linkedIssuesSchema);
    links.sort((a, b) => a.issue_link_id - b.issue_link_id);
    if (links.length > 0) {
      const title = links.map((link) => `#${link.iid}`).join(", ");
      const parent = recordPaths.issuable("issue", iid);
      yield { type: "record", path, kind, title, parent, value: links.map(recordForm) };
    } else if (wasLinked) yield { type: "drop", path };
  } catch (error) {
    if (!isOutOfReach(error)) throw error;
    yield { type: "skipped", path, kind, reason: error.message };
  }
}
