import type { z } from "zod";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { LARGEST_PAGE, paths } from "../client.ts";
import { protectedTagsSchema } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import { readSetting } from "./read-setting.ts";
import type { RestoreIo } from "./restore-io.ts";
import { MAINTAINER } from "./restore-protected-branches.ts";
import { attempt } from "./restore-refusal.ts";

type ProtectedTag = z.output<typeof protectedTagsSchema>[number];

/** The protected tags of a version. */
export function readProtectedTags(snapshot: SnapshotView): Promise<ProtectedTag[]> {
  return readSetting(snapshot, recordPaths.protectedTags, protectedTagsSchema);
}

/** Restores protected tags by role, after the tags were pushed. */
export async function* restoreProtectedTags({
  client,
  snapshot,
  projectId,
}: RestoreIo): AsyncGenerator<RestoreEvent> {
  const source = await readProtectedTags(snapshot);
  if (source.length === 0) return;
  const path = paths.protectedTags(projectId);
  const about = "the protected tags";
  const list = { method: "GET", path, query: { per_page: LARGEST_PAGE }, about } as const;
  const there = new Set<string>();
  for await (const { name } of client.members(list, protectedTagsSchema, (tag) => tag.name)) there.add(name);
  let count = 0;
  for (const tag of source) {
    const { name, create_access_levels: levels } = tag;
    const role = levels?.find((one) => one.user_id == null && one.group_id == null);
    const body = { name, create_access_level: role?.access_level ?? MAINTAINER };
    const protect = () =>
      client.send({ method: "POST", path, body, about: `the protected tag ${name}`, missing: "forbidden" });
    if (there.has(name) || (yield* attempt(`Protected tag ${name}`, protect))) count += 1;
    yield* reportTagPeople(tag);
  }
  if (count > 0) yield { type: "restored", kind: "protected-tag", count };
}

/** The report line for a tag whose rules name single people or groups. */
export function* reportTagPeople({
  name,
  create_access_levels: levels,
}: ProtectedTag): Generator<RestoreEvent> {
  if (!levels?.some((one) => one.user_id != null || one.group_id != null)) return;
  const reason = "Individual people and groups are not members of the new project; only roles were restored.";
  yield { type: "changed", what: `Who may create the protected tag ${name}`, reason };
}
