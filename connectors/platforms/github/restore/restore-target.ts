import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type {
  NewTarget,
  RestoredItem,
  RestoreEvent,
  RestoreJournal,
  Session,
} from "#connectors/contract/platform-connector.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import { createOnce, freeNames, reportNewName } from "#connectors/toolkit/records/create-once.ts";
import { paths } from "../client.ts";
import { descriptor } from "../descriptor.ts";
import { getRepository } from "../inventory.ts";
import { type GithubRepository, repositorySchema } from "../payloads.ts";
import type { RepositoryRecord } from "../read/repository-record.ts";
import { safeRepositoryName } from "./restore-name.ts";
import { refusalReason } from "./restore-refusal.ts";

/**
 * Creates the new repository, or finds it again. Before the request, the journal records its name and a mark, which
 * goes into the first description. If the response is lost, the mark distinguishes our repository from another one of
 * the same name.
 *
 * @throws ConnectorError when no name is free or GitHub refuses
 */
export async function* createTarget(
  deps: { session: Session; client: HttpClient; journal: RestoreJournal },
  { source, target }: { source: RepositoryRecord; target: NewTarget },
): AsyncGenerator<RestoreEvent, RestoredItem> {
  const { client, journal, session } = deps;
  const owner = target.place?.name ?? session.accountName;
  const wanted = safeRepositoryName(target.name);
  const path = creationPath(session, target);
  const progress = { phase: "Creating the repository", done: 0, total: 1, unit: "requests" } as const;
  yield { type: "progress", progress };
  const created = await createOnce(journal, {
    kind: "repository",
    sourceId: source.id,
    names: freeNames(wanted, descriptor.limits.restoredNameLength),
    itemOf: createdItem,
    get: (known) => getRepository(client, known),
    create: (name, mark) => {
      const body = { name, private: true, description: mark, auto_init: false };
      const about = `the new repository ${owner}/${name}`;
      return client.request({ method: "POST", path, body, about, missing: "forbidden" }, repositorySchema);
    },
    find: (name) => getRepository(client, { externalId: "", fullName: `${owner}/${name}` }),
    isTaken: ({ status, message }) => status === 422 && /already exists/i.test(message),
  });
  yield { type: "restored", kind: "repository", count: 1 };
  yield* reportNewName(created, {
    asked: target.name,
    wanted,
    rule: "GitHub takes only letters, digits, '.', '-' and '_' in names.",
  });
  yield* privateInstead(source);
  return created;
}

/** Reports that the copy of a public or internal repository is private. */
export function* privateInstead({ visibility }: RepositoryRecord): Generator<RestoreEvent> {
  if (visibility === "private") return;
  const reason = "Restored repositories are private until you open them in the repository's settings.";
  yield { type: "changed", what: `Visibility: private instead of ${visibility}`, reason };
}

function createdItem(repository: GithubRepository): RestoredItem {
  return {
    externalId: repository.id,
    name: repository.name,
    fullName: repository.full_name,
    webUrl: repository.html_url,
  };
}

function creationPath(session: Session, target: NewTarget): string {
  const { place } = target;
  if (place === null || place.name.toLowerCase() === session.accountName.toLowerCase())
    return paths.ownRepositories;
  if (place.type === "Organization") return paths.organisationRepositories(place.name);
  const message = `GitHub lets nobody create repositories for another user (${place.name}).`;
  throw new ConnectorError("unsupported", message);
}

/** Keeps restored workflows from running, e.g. an old deployment. */
export async function* switchActionsOff(
  { client, journal }: { client: HttpClient; journal: RestoreJournal },
  created: RestoredItem,
): AsyncGenerator<RestoreEvent> {
  const path = paths.actionsPermissions(created.fullName);
  try {
    if ((await journal.find("actions-off")) === null) {
      await client.send({
        method: "PUT",
        path,
        body: { enabled: false },
        about: "GitHub Actions",
        missing: "forbidden",
      });
      await journal.record("actions-off", true);
    }
    yield ACTIONS_ARE_OFF;
  } catch (error) {
    yield { type: "changed", what: "Switching GitHub Actions off", reason: refusalReason(error) };
  }
}

/** Reports that Actions are switched off. */
export const ACTIONS_ARE_OFF: RestoreEvent = {
  type: "changed",
  what: "GitHub Actions are switched off",
  reason: "So that restored workflows do not run by themselves. Switch them on under Settings, Actions.",
};
