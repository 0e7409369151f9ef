import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RestoredItem, RestoreEvent, RestoreOrder } from "#connectors/contract/platform-connector.ts";
import { restoreAsBranch } from "#connectors/toolkit/git/repository/restore-as-branch.ts";
import { existingPart, openPartTarget } from "#connectors/toolkit/records/existing-part.ts";
import { githubClient, githubRemote } from "../client.ts";
import { GIT, gitPlatform } from "../git-platform.ts";
import { getRepository } from "../inventory.ts";
import { addThread } from "./add-thread.ts";
import { readPart } from "./read-part.ts";
import type { RestoreIo } from "./restore-io.ts";
import { addLabels } from "./restore-labels.ts";
import { pacedClient } from "./restore-pace.ts";

/** Restores a part of a version into an existing repository, to which it only adds. */
export async function* restorePart(
  deps: Pick<RestoreIo, "session" | "snapshot" | "journal">,
  order: RestoreOrder,
): AsyncGenerator<RestoreEvent, RestoredItem> {
  const { part, item } = existingPart(order);
  const wanted = await readPart(deps.snapshot, part);
  const client = pacedClient(deps.session, githubClient(deps.session));
  const { target: repository, created } = await openPartTarget(
    () => getRepository(client, item),
    ({ id: externalId, name, full_name: fullName, html_url: webUrl }) => ({
      externalId,
      name,
      fullName,
      webUrl,
    }),
    { one: "repository", platform: "GitHub" },
  );
  const io = { ...deps, client, created };
  if (wanted.type === "labels") return yield* addLabels(io);
  if (wanted.type === "file") {
    const branch = yield* restoreAsBranch(deps, {
      ...{ prefix: GIT, ref: wanted.ref, path: wanted.path, platform: gitPlatform },
      ...{ remote: githubRemote(deps.session, created.fullName), fullName: created.fullName },
      defaultBranch: repository.default_branch,
    });
    return { ...created, name: branch, webUrl: `${created.webUrl}/tree/${branch}` };
  }
  if (!repository.has_issues) {
    const message = `Issues are switched off in ${created.fullName}. Switch them on in its settings, or choose another one.`;
    throw new ConnectorError("unsupported", message);
  }
  return yield* addThread(io, wanted.thread);
}
