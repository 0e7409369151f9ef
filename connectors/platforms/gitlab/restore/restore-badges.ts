import type { z } from "zod";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { LARGEST_PAGE, paths } from "../client.ts";
import { badgesSchema } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import { readSetting } from "./read-setting.ts";
import type { RestoreIo } from "./restore-io.ts";
import { attempt } from "./restore-refusal.ts";

type Badge = z.output<typeof badgesSchema>[number];

/** The badges of a version that are the project's own. Those of a group belong to the group. */
export async function readBadges(snapshot: SnapshotView): Promise<Badge[]> {
  return (await readSetting(snapshot, recordPaths.badges, badgesSchema)).filter(
    ({ kind }) => kind !== "group",
  );
}

/** Restores the project's badges. */
export async function* restoreBadges({
  client,
  snapshot,
  projectId,
}: RestoreIo): AsyncGenerator<RestoreEvent> {
  const source = await readBadges(snapshot);
  if (source.length === 0) return;
  const path = paths.badges(projectId);
  const list = { method: "GET", path, query: { per_page: LARGEST_PAGE }, about: "the new badges" } as const;
  const keyOf = ({ name, link_url, image_url }: Badge) => JSON.stringify([name ?? null, link_url, image_url]);
  const there = new Set<string>();
  for await (const one of client.members(list, badgesSchema, ({ id }) => String(id))) there.add(keyOf(one));
  let count = 0;
  for (const badge of source) {
    const { name, link_url, image_url } = badge;
    const body = { link_url, image_url, ...(name ? { name } : {}) };
    const call = { method: "POST", path, body, about: "a badge", missing: "forbidden" } as const;
    if (there.has(keyOf(badge)) || (yield* attempt(`Badge ${name ?? image_url}`, () => client.send(call))))
      count += 1;
  }
  if (count > 0) yield { type: "restored", kind: "badge", count };
}
