import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { LARGEST_PAGE, paths } from "../client.ts";
import { type GitlabLabel, labelSchema, labelsSchema } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import type { RestoreIo } from "./restore-io.ts";
import { attempt } from "./restore-refusal.ts";

/**
 * Restores labels by name. Labels of a group become labels of the project. One that is there, in the project or its
 * groups, stays as it is.
 */
export async function* restoreLabels({
  client,
  snapshot,
  projectId,
}: RestoreIo): AsyncGenerator<RestoreEvent> {
  const path = paths.labels(projectId);
  const list = { method: "GET", path, query: { per_page: LARGEST_PAGE }, about: "the labels" } as const;
  const there = new Map<string, GitlabLabel>();
  for await (const label of client.members(list, labelsSchema, ({ id }) => String(id)))
    there.set(label.name, label);
  let count = 0;
  for await (const entry of snapshot.list(recordPaths.labels)) {
    const label = labelSchema.parse(await snapshot.readRecord(entry.path));
    const { name, color, description, priority } = label;
    const body = {
      name,
      color,
      ...(description ? { description } : {}),
      ...(priority == null ? {} : { priority }),
    };
    const create = () =>
      client.send({ method: "POST", path, body, about: `the label ${name}`, missing: "forbidden" });
    const known = there.get(name);
    if (known !== undefined || (yield* attempt(`Label ${name}`, create))) count += 1;
    if (known !== undefined && !isAlike(known, label))
      yield { type: "changed", what: `Label ${name}`, reason: STAYS };
    there.set(name, known ?? label);
  }
  if (count > 0) yield { type: "restored", kind: "label", count };
}

const STAYS = "There is a label of this name with another colour or description. It stays as it is.";

function isAlike(there: GitlabLabel, { color, description }: GitlabLabel): boolean {
  return (
    there.color.toLowerCase() === color.toLowerCase() && (there.description ?? "") === (description ?? "")
  );
}
