import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RestoredItem, RestoreEvent, RestoreOrder } from "#connectors/contract/platform-connector.ts";
import { restoreAsBranch } from "#connectors/toolkit/git/repository/restore-as-branch.ts";
import { existingPart, openPartTarget } from "#connectors/toolkit/records/existing-part.ts";
import { gitlabClient, gitlabRemote } from "../client.ts";
import { GIT, gitPlatform } from "../git-platform.ts";
import { getProject } from "../inventory.ts";
import { addIssue, type PartIo } from "./add-issue.ts";
import { readPart } from "./read-part.ts";
import { restoreLabels } from "./restore-labels.ts";

/** Restores a part of a version into an existing project, to which it only adds. */
export async function* restorePart(
  deps: Pick<PartIo, "session" | "snapshot" | "journal">,
  order: RestoreOrder,
): AsyncGenerator<RestoreEvent, RestoredItem> {
  const { part: path, item } = existingPart(order);
  const part = await readPart(deps.snapshot, path);
  const client = gitlabClient(deps.session);
  const { target: project, created } = await openPartTarget(
    () => getProject(client, item),
    ({ id: externalId, name, path_with_namespace: fullName, web_url: webUrl }) => ({
      externalId,
      name,
      fullName,
      webUrl,
    }),
    { one: "project", platform: "GitLab" },
  );
  if (part.type === "labels") {
    yield* restoreLabels({ client, snapshot: deps.snapshot, projectId: created.externalId });
    return { ...created, webUrl: `${created.webUrl}/-/labels` };
  }
  if (part.type === "file") {
    const branch = yield* restoreAsBranch(deps, {
      ...{ prefix: GIT, ref: part.ref, path: part.path, platform: gitPlatform },
      ...{ remote: gitlabRemote(deps.session, created.fullName), fullName: created.fullName },
      defaultBranch: project.default_branch,
    });
    return { ...created, name: branch, webUrl: `${created.webUrl}/-/tree/${branch}` };
  }
  if (project.issues_access_level === "disabled") {
    const message = `Issues are switched off in ${created.fullName}. Switch them on in its settings, or choose another one.`;
    throw new ConnectorError("unsupported", message);
  }
  return yield* addIssue({ ...deps, client, created }, part.issuable);
}
