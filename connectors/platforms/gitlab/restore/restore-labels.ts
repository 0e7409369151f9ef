import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { LARGEST_PAGE, paths } from "../client.ts";
import { labelSchema, labelsSchema } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import type { RestoreIo } from "./restore-io.ts";
import { attempt } from "./restore-refusal.ts";

/** Restores labels by name. Group labels become labels of the new project. */
export async function* restoreLabels({
  client,
  snapshot,
  projectId,
}: RestoreIo): AsyncGenerator<RestoreEvent> {
  const path = paths.labels(projectId);
  const list = { method: "GET", path, query: { per_page: LARGEST_PAGE }, about: "the new labels" } as const;
  const there = new Set<string>();
  for await (const label of client.members(list, labelsSchema, ({ id }) => String(id))) there.add(label.name);
  let count = 0;
  for await (const entry of snapshot.list(recordPaths.labels)) {
    const { name, color, description, priority } = labelSchema.parse(await snapshot.readRecord(entry.path));
    const body = {
      name,
      color,
      ...(description ? { description } : {}),
      ...(priority == null ? {} : { priority }),
    };
    const create = () =>
      client.send({ method: "POST", path, body, about: `the label ${name}`, missing: "forbidden" });
    if (there.has(name) || (yield* attempt(`Label ${name}`, create))) count += 1;
    there.add(name);
  }
  if (count > 0) yield { type: "restored", kind: "label", count };
}
