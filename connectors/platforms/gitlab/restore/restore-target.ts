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
import { getProject } from "../inventory.ts";
import { type GitlabProject, projectSchema } from "../payloads.ts";
import { groupId } from "../places.ts";
import type { ProjectRecord } from "../read/project-record.ts";
import { projectPath, safeProjectName } from "./restore-name.ts";
import { explainScope } from "./restore-refusal.ts";

type Deps = { session: Session; client: HttpClient; journal: RestoreJournal };

/**
 * Creates the new project in the chosen place, by default the account's own namespace, or finds the one of an earlier
 * attempt. Only owners may set numbers and dates; in its own namespace the account is the owner. The journal records
 * the name and a mark before the request; the mark goes into the first description. If the response is lost, the mark
 * distinguishes our project from another one of the same name.
 *
 * @throws ConnectorError when no name is free or GitLab refuses
 */
export async function* createTarget(
  deps: Deps,
  { source, target }: { source: ProjectRecord; target: NewTarget },
): AsyncGenerator<RestoreEvent, RestoredItem> {
  const { client, journal, session } = deps;
  const wanted = safeProjectName(target.name);
  const progress = { phase: "Creating the project", done: 0, total: 1, unit: "requests" } as const;
  yield { type: "progress", progress };
  const { place } = target;
  const namespace = place === null || groupId(place) === null ? session.accountName : place.name;
  const fullName = (name: string) => `${namespace}/${projectPath(name)}`;
  const created = await createOnce(journal, {
    kind: "project",
    sourceId: source.id,
    names: freeNames(wanted, descriptor.limits.restoredNameLength),
    itemOf: createdItem,
    get: (known) => getProject(client, known),
    create: async (name, mark) => {
      const body = { ...creationBody(name, mark), ...namespaceOf(place) };
      const call = { method: "POST", path: paths.projects, body, missing: "forbidden" } as const;
      const about = `the new project ${fullName(name)}`;
      return await client.request({ ...call, about }, projectSchema).catch((error: unknown) => {
        throw explainScope(error);
      });
    },
    find: (name) => getProject(client, { externalId: "", fullName: fullName(name) }),
    isTaken: ({ status, message }) =>
      (status === 400 || status === 409) && /already been taken/i.test(message),
  });
  yield { type: "restored", kind: "project", count: 1 };
  yield* reportNewName(created, {
    asked: target.name,
    wanted,
    rule: "GitLab takes only letters, digits, spaces, '_', '.', '+' and '-' in names.",
  });
  yield* privateInstead(source);
  yield* openToMembers(place);
  yield PIPELINES_ARE_OFF;
  return created;
}

/** The report line when the original was not private. */
export function* privateInstead({ visibility }: ProjectRecord): Generator<RestoreEvent> {
  if (visibility === "private") return;
  const reason = "Restored projects are private until you open them in the project's settings.";
  yield { type: "changed", what: `Visibility: private instead of ${visibility}`, reason };
}

/** Sets who sees a project that is restored into a group. */
export function* openToMembers(place: NewTarget["place"]): Generator<RestoreEvent> {
  if (place === null || groupId(place) === null) return;
  const reason =
    "They reach the new project with the roles that they have in the group, although it is private.";
  yield { type: "changed", what: `Seen by the members of ${place.name}`, reason };
}

/** Without a namespace GitLab uses the account's own. */
function namespaceOf(place: NewTarget["place"]): { namespace_id?: number } {
  const id = place && groupId(place);
  return id ? { namespace_id: Number(id) } : {};
}

/** The report line for CI/CD: a restored project is created with pipelines switched off. */
export const PIPELINES_ARE_OFF: RestoreEvent = {
  type: "changed",
  what: "CI/CD is switched off",
  reason:
    "So that restored pipelines do not run by themselves. Switch CI/CD on under Settings, General, Visibility.",
};

function createdItem(project: GitlabProject): RestoredItem {
  return {
    externalId: project.id,
    name: project.name,
    fullName: project.path_with_namespace,
    webUrl: project.web_url,
  };
}

/** Switches off e-mails and CI/CD, so a restore notifies nobody and runs no pipeline. */
function creationBody(name: string, mark: string): object {
  return {
    name,
    path: projectPath(name),
    visibility: "private",
    description: mark,
    initialize_with_readme: false,
    builds_access_level: "disabled",
    auto_devops_enabled: false,
    shared_runners_enabled: false,
    emails_enabled: false,
    issues_access_level: "enabled",
    merge_requests_access_level: "enabled",
    wiki_access_level: "enabled",
    snippets_access_level: "enabled",
    lfs_enabled: true,
  };
}
