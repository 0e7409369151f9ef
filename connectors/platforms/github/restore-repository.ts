import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type {
  RestoredItem,
  RestoreEvent,
  RestoreJournal,
  RestoreTarget,
  Session,
} from "#connectors/contract/platform-connector.ts";
import type { RefsRecord } from "#connectors/toolkit/git/repository/git-chain.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import { createOnce, freeNames } from "#connectors/toolkit/records/create-once.ts";
import { paths } from "./client.ts";
import { descriptor } from "./descriptor.ts";
import { getRepository } from "./inventory.ts";
import { type GithubRepository, repositorySchema } from "./payloads.ts";
import type { RepositoryRecord } from "./repository-record.ts";

/**
 * The new repository, created or found again. Before it is asked for, the journal holds its name and a mark that
 * goes into its first description: when the answer is lost, the mark tells ours from a stranger's of the same name.
 *
 * @throws ConnectorError when no name is free or GitHub refuses
 */
export async function* createTarget(
  deps: { session: Session; client: HttpClient; journal: RestoreJournal },
  { source, target }: { source: RepositoryRecord; target: RestoreTarget },
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
  if (created.name !== target.name) {
    const reason =
      created.name === wanted
        ? "GitHub takes only letters, digits, '.', '-' and '_' in names."
        : "The name was already taken.";
    yield { type: "changed", what: `Name: ${created.name} instead of ${target.name}`, reason };
  }
  yield* privateInstead(source);
  return created;
}

/** What becomes of an open original. */
export function* privateInstead({ visibility }: RepositoryRecord): Generator<RestoreEvent> {
  if (visibility === "private") return;
  const reason = "Restored repositories are private until you open them in the repository's settings.";
  yield { type: "changed", what: `Visibility: private instead of ${visibility}`, reason };
}

function createdItem(repository: GithubRepository): RestoredItem {
  return {
    externalId: repository.id,
    nodeId: repository.node_id,
    name: repository.name,
    fullName: repository.full_name,
    webUrl: repository.html_url,
  };
}

/** What GitHub itself would make of a name, so that it is known before. */
export function safeRepositoryName(name: string): string {
  const safe = name
    .trim()
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/(\.git|\.wiki)+$/i, "");
  const cut = safe.slice(0, descriptor.limits.restoredNameLength);
  return /^\.*$/.test(cut) ? "restored" : cut;
}

function creationPath(session: Session, target: RestoreTarget): string {
  const { place } = target;
  if (place === null || place.name.toLowerCase() === session.accountName.toLowerCase())
    return paths.ownRepositories;
  if (place.type === "Organization") return paths.organisationRepositories(place.name);
  const message = `GitHub lets nobody create repositories for another user (${place.name}).`;
  throw new ConnectorError("unsupported", message);
}

/** Keeps restored workflows from running: nobody wants an old deployment to start because of a restore. */
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
    yield refused("Switching GitHub Actions off", error);
  }
}

/** The line that goes with it. */
export const ACTIONS_ARE_OFF: RestoreEvent = {
  type: "changed",
  what: "GitHub Actions are switched off",
  reason: "So that restored workflows do not run by themselves. Switch them on under Settings, Actions.",
};

/** Sets what people see: description, website, default branch, features, topics. */
export async function* applySettings(
  { client }: { client: HttpClient },
  order: { created: RestoredItem; source: RepositoryRecord; refs: RefsRecord; branches: ReadonlySet<string> },
): AsyncGenerator<RestoreEvent> {
  const { created, source, refs, branches } = order;
  yield {
    type: "progress",
    progress: { phase: "Setting description and topics", done: 0, total: 1, unit: "requests" },
  };
  const path = paths.repositoryByName(created.fullName);
  const edit = (body: object, about: string) =>
    client.send({ method: "PATCH", path, body, about, missing: "forbidden" });
  await edit(
    { description: source.description ?? "", homepage: source.homepage ?? "" },
    "the restored repository",
  );

  const branch = defaultBranchOf(source, refs);
  if (branch !== null && branches.has(branch)) {
    yield* attempt("Default branch", () => edit({ default_branch: branch }, "the default branch"));
  } else if (branch !== null && branches.size > 0) {
    const reason = `The branch ${branch} did not come back, so another one is the default.`;
    yield { type: "impossible", what: "Default branch", reason };
  }
  const { issues, projects, wiki } = source.features;
  const features = { has_issues: issues ?? true, has_projects: projects ?? true, has_wiki: wiki ?? true };
  yield* attempt("Features (issues, projects, wiki)", () => edit(features, "the features"));
  if (source.topics.length > 0) {
    const body = { names: source.topics };
    const call = { method: "PUT", path: paths.topics(created.fullName), body, about: "the topics" } as const;
    yield* attempt("Topics", () => client.send({ ...call, missing: "forbidden" }));
  }
  yield* openAgain(source);
}

/** The branch that is to be the default one again. */
export function defaultBranchOf({ defaultBranch }: RepositoryRecord, { head }: RefsRecord): string | null {
  return head.target?.replace(/^refs\/heads\//, "") ?? defaultBranch;
}

/** What becomes of an archived original. */
export function* openAgain({ isArchived }: RepositoryRecord): Generator<RestoreEvent> {
  if (isArchived !== true) return;
  const reason = "The original was archived; the restored one can be written to, and you may archive it.";
  yield { type: "changed", what: "Archived state", reason };
}

async function* attempt(what: string, act: () => Promise<unknown>): AsyncGenerator<RestoreEvent> {
  try {
    await act();
  } catch (error) {
    yield refused(what, error);
  }
}

/** What GitHub refuses is told and the restore goes on; what passes is left to the next attempt. */
function refused(what: string, error: unknown): RestoreEvent {
  const isRefusal =
    error instanceof ConnectorError && ["forbidden", "gone", "unsupported"].includes(error.kind);
  if (!isRefusal) throw error;
  return { type: "impossible", what, reason: (error as ConnectorError).message };
}
