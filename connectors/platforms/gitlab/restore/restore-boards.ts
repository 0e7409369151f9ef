import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { LARGEST_PAGE, paths } from "../client.ts";
import { boardSchema, boardsSchema, labelsSchema } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import type { RestoreIo } from "./restore-io.ts";
import { attempt, isRefusal } from "./restore-refusal.ts";

/** Restores boards with their label lists. A GitLab plan with one board per project accepts only the first. */
export async function* restoreBoards({
  client,
  snapshot,
  projectId,
}: RestoreIo): AsyncGenerator<RestoreEvent> {
  const path = paths.boards(projectId);
  const list = { method: "GET", path, query: { per_page: LARGEST_PAGE }, about: "the new boards" } as const;
  const there = [];
  for await (const board of client.members(list, boardsSchema, ({ id }) => String(id))) there.push(board);
  const labels = new Map<string, number>();
  const labelCall = { ...list, path: paths.labels(projectId), about: "the new labels" };
  for await (const { id, name } of client.members(labelCall, labelsSchema, ({ id }) => String(id)))
    labels.set(name, id);
  let count = 0;
  for await (const entry of snapshot.list(recordPaths.boards)) {
    const source = boardSchema.parse(await snapshot.readRecord(entry.path));
    const name = source.name || "Development";
    const about = `the board ${name}`;
    try {
      const board =
        there.find((one) => one.name === name) ??
        (await client.request(
          { method: "POST", path, body: { name }, about, missing: "forbidden" },
          boardSchema,
        ));
      const known = new Set((board.lists ?? []).map((one) => one.label?.name));
      for (const { label } of source.lists ?? []) {
        const labelId = label ? labels.get(label.name) : undefined;
        if (!label || labelId === undefined || known.has(label.name)) continue;
        const body = { label_id: labelId };
        const call = { method: "POST", path: paths.boardLists(projectId, board.id), body, about } as const;
        yield* attempt(`List ${label.name} of ${about}`, () =>
          client.send({ ...call, missing: "forbidden" }),
        );
      }
      count += 1;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      yield { type: "missing", what: `Board ${name}`, reason: error.message };
    }
  }
  if (count > 0) yield { type: "restored", kind: "board", count };
}
