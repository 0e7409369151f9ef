import { z } from "zod";
import type { RestoreEvent, Session } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { paths } from "./client.ts";
import { ENTRY } from "./entries.ts";
import { LARGEST_PAGE } from "./inventory.ts";
import { protectedBranchesSchema } from "./payloads.ts";
import type { NewProject } from "./restore-planning.ts";
import { attempt } from "./restore-refusal.ts";

/** A protected branch as a version keeps it. */
export type ProtectedBranch = z.output<typeof protectedBranchesSchema>[number];
/** Who may push or merge when nothing else is told: maintainers. */
const MAINTAINER = 40;
const NAMES_SHOWN = 20;

/** Protected branches by roles. GitLab protects the default branch by itself, so what is there is compared first. */
export async function* restoreProtectedBranches(project: NewProject): AsyncGenerator<RestoreEvent> {
  const { client, projectId } = project;
  const source = await readProtectedBranches(project.snapshot);
  const path = paths.protectedBranches(projectId);
  const list = {
    method: "GET",
    path,
    query: { per_page: LARGEST_PAGE },
    about: "the protected branches",
  } as const;
  const there = new Map<string, ProtectedBranch>();
  for await (const one of client.members(list, protectedBranchesSchema, ({ name }) => name))
    there.set(one.name, one);
  let count = 0;
  for (const branch of source) {
    const wanted = rulesOf(branch);
    const known = there.get(branch.name);
    const about = `the protected branch ${branch.name}`;
    const protect = async () => {
      if (known !== undefined) {
        const address = paths.protectedBranch(projectId, branch.name);
        await client.send({ method: "DELETE", path: address, about, missing: "forbidden" });
      }
      await client.send({
        method: "POST",
        path,
        body: { name: branch.name, ...wanted },
        about,
        missing: "forbidden",
      });
    };
    const isSame = known !== undefined && JSON.stringify(rulesOf(known)) === JSON.stringify(wanted);
    if (isSame || (yield* attempt(`Protected branch ${branch.name}`, protect))) count += 1;
    yield* tellPeople(branch);
  }
  if (count > 0) yield { type: "restored", kind: "protected-branch", count };
}

/** The protected branches of a version. */
export function readProtectedBranches(snapshot: SnapshotView): Promise<ProtectedBranch[]> {
  return readSetting(snapshot, ENTRY.protectedBranches, protectedBranchesSchema);
}

/** Whether GitLab has protected it so by itself, as it does with the default branch. */
export function isAsGiven(branch: ProtectedBranch): boolean {
  const given = { push_access_level: MAINTAINER, merge_access_level: MAINTAINER, allow_force_push: false };
  return JSON.stringify(rulesOf(branch)) === JSON.stringify(given);
}

/** What becomes of single people who were allowed something. */
export function* tellPeople(branch: ProtectedBranch): Generator<RestoreEvent> {
  if (!hasPeople(branch)) return;
  const reason = "Single people and groups are not members of the new project; roles came back alone.";
  yield { type: "changed", what: `Who may use the protected branch ${branch.name}`, reason };
}

function rulesOf({ push_access_levels, merge_access_levels, allow_force_push }: ProtectedBranch) {
  const level = (levels: ProtectedBranch["push_access_levels"]) =>
    levels?.find((one) => one.user_id == null && one.group_id == null)?.access_level ?? MAINTAINER;
  return {
    push_access_level: level(push_access_levels),
    merge_access_level: level(merge_access_levels),
    allow_force_push: allow_force_push ?? false,
  };
}

function hasPeople({ push_access_levels, merge_access_levels }: ProtectedBranch): boolean {
  const levels = [...(push_access_levels ?? []), ...(merge_access_levels ?? [])];
  return levels.some((one) => one.user_id != null || one.group_id != null);
}

const membersSchema = z.array(z.looseObject({ username: z.string() }));
const variablesSchema = z.array(z.looseObject({ key: z.string() }));
const hooksSchema = z.array(z.looseObject({ url: z.string() }));

/** What nobody but the owner can bring back, as a list to work through. */
export async function* tellWhatIsLeft({
  snapshot,
  session,
}: {
  snapshot: SnapshotView;
  session: Pick<Session, "accountName">;
}): AsyncGenerator<RestoreEvent> {
  const members = (await readSetting(snapshot, ENTRY.members, membersSchema))
    .map(({ username }) => username)
    .filter((username) => username !== session.accountName);
  const inviting = "A restore invites nobody. Invite them under Manage, Members.";
  if (members.length > 0) yield impossible("Members", members, inviting);
  const variables = (await readSetting(snapshot, ENTRY.variables, variablesSchema)).map(({ key }) => key);
  const entering = "Values are never part of a backup. Enter them again under Settings, CI/CD, Variables.";
  if (variables.length > 0) yield impossible("CI/CD variables", variables, entering);
  const hooks = (await readSetting(snapshot, ENTRY.hooks, hooksSchema)).map(({ url }) => url);
  const adding =
    "Their secrets cannot be read, and what they call must not hear of a restore. Add them under Settings, Webhooks.";
  if (hooks.length > 0) yield impossible("Webhooks", hooks, adding);
  const files: string[] = [];
  for await (const { path, title } of snapshot.list(ENTRY.uploads)) files.push(title ?? path);
  const keeping =
    "An upload gets another address, so links in texts would not lead to it. The version and its ZIP hold the files.";
  if (files.length > 0) yield impossible("Files attached to texts", files, keeping);
}

function impossible(kind: string, names: readonly string[], reason: string): RestoreEvent {
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : "";
  return { type: "impossible", what: `${kind}: ${names.slice(0, NAMES_SHOWN).join(", ")}${more}`, reason };
}

async function readSetting<T>(snapshot: SnapshotView, path: string, schema: z.ZodType<T[]>): Promise<T[]> {
  if ((await snapshot.find(path)) === null) return [];
  return schema.parse(await snapshot.readRecord(path));
}
