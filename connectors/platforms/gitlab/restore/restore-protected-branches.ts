import type { z } from "zod";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { LARGEST_PAGE, paths } from "../client.ts";
import { protectedBranchesSchema } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import { readSetting } from "./read-setting.ts";
import type { RestoreIo } from "./restore-io.ts";
import { attempt } from "./restore-refusal.ts";

/** A protected branch as a version stores it. */
export type ProtectedBranch = z.output<typeof protectedBranchesSchema>[number];
/** The default access level of protected branches and tags. */
export const MAINTAINER = 40;

/** Restores protected branches by role. GitLab protects the default branch itself, so existing rules are compared. */
export async function* restoreProtectedBranches(project: RestoreIo): AsyncGenerator<RestoreEvent> {
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
    yield* reportPeople(branch);
  }
  if (count > 0) yield { type: "restored", kind: "protected-branch", count };
}

/** The protected branches of a version. */
export function readProtectedBranches(snapshot: SnapshotView): Promise<ProtectedBranch[]> {
  return readSetting(snapshot, recordPaths.protectedBranches, protectedBranchesSchema);
}

/** Whether the rules equal those that GitLab gives the default branch by itself. */
export function isAsGiven(branch: ProtectedBranch): boolean {
  const given = { push_access_level: MAINTAINER, merge_access_level: MAINTAINER, allow_force_push: false };
  return JSON.stringify(rulesOf(branch)) === JSON.stringify(given);
}

/** The report line for a branch whose rules name single people or groups. */
export function* reportPeople(branch: ProtectedBranch): Generator<RestoreEvent> {
  if (!hasPeople(branch)) return;
  const reason = "Individual people and groups are not members of the new project; only roles were restored.";
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
