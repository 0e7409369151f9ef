import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RestoredItem } from "#connectors/contract/platform-connector.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import { getProject } from "../inventory.ts";
import type { GitlabProject } from "../payloads.ts";

/**
 * Reads the project that a part is added to.
 * @throws ConnectorError `unsupported` when it is gone or archived: a retry would not help
 */
export async function openPartTarget(
  client: HttpClient,
  chosen: { externalId: string; fullName: string },
): Promise<{ project: GitlabProject; created: RestoredItem }> {
  const project = await getProject(client, chosen).catch((error: unknown) => {
    if (!(error instanceof ConnectorError) || error.kind !== "gone") throw error;
    const message = "The project that was chosen is no longer at GitLab.";
    throw new ConnectorError("unsupported", message, { cause: error });
  });
  const { id: externalId, name, path_with_namespace: fullName, web_url: webUrl } = project;
  if (project.archived) {
    const message = `${fullName} is archived at GitLab, which takes no changes to it. Unarchive it, or choose another one.`;
    throw new ConnectorError("unsupported", message);
  }
  return { project, created: { externalId, name, fullName, webUrl } };
}
