import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RestoredItem } from "#connectors/contract/platform-connector.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import { getRepository } from "../inventory.ts";
import type { GithubRepository } from "../payloads.ts";

/**
 * Reads the repository that a part is added to.
 * @throws ConnectorError `unsupported` when it is gone or archived: a retry would not help
 */
export async function openPartTarget(
  client: HttpClient,
  chosen: { externalId: string; fullName: string },
): Promise<{ repository: GithubRepository; created: RestoredItem }> {
  const repository = await getRepository(client, chosen).catch((error: unknown) => {
    if (!(error instanceof ConnectorError) || error.kind !== "gone") throw error;
    const message = "The repository that was chosen is no longer at GitHub.";
    throw new ConnectorError("unsupported", message, { cause: error });
  });
  const { id: externalId, name, full_name: fullName, html_url: webUrl } = repository;
  if (repository.archived) {
    const message = `${fullName} is archived at GitHub, which takes no changes to it. Unarchive it, or choose another one.`;
    throw new ConnectorError("unsupported", message);
  }
  return { repository, created: { externalId, name, fullName, webUrl } };
}
