import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { paths } from "../client.ts";
import { listsSchema, type TrelloList } from "../payloads.ts";
import type { Frame } from "./frame.ts";
import { makeSeries, postThing } from "./make-series.ts";
import type { RestoreIo } from "./restore-io.ts";
import { isRefusal, reasonOf } from "./restore-refusal.ts";

/** Restores lists as open, because cards go into them. {@link archiveLists} archives them at the end. */
export async function* restoreLists(
  io: RestoreIo,
  members: TrelloList[],
): AsyncGenerator<RestoreEvent, Map<string, string>> {
  const made = yield* makeSeries<TrelloList>(io, {
    name: "lists",
    members,
    keyOf: ({ name, pos }) => JSON.stringify([name.trim(), pos]),
    existing: () => readLists(io),
    create: ({ name, pos }) => postThing(io, paths.lists, { name, pos, idBoard: io.boardId }, "a list"),
    refused: ({ name }, reason) => ({ type: "missing", what: `List ${name} with its cards`, reason }),
  });
  if (made.size > 0) yield { type: "restored", kind: "list", count: made.size };
  return made;
}

/** The board's current lists, archived ones included. */
export function readLists(io: Pick<RestoreIo, "client" | "boardId">): Promise<TrelloList[]> {
  const query = { filter: "all" };
  const call = { method: "GET", path: paths.boardLists(io.boardId), query, about: "the lists" } as const;
  return io.client.request(call, listsSchema);
}

/** Archives the originally archived lists after their cards are restored. */
export async function* archiveLists(
  io: RestoreIo,
  { lists, sourceLists }: Frame,
): AsyncGenerator<RestoreEvent, void> {
  for (const { id, name, closed } of sourceLists) {
    const made = lists.get(id);
    if (!closed || made === undefined) continue;
    try {
      const call = {
        method: "PUT",
        path: paths.list(made),
        body: { closed: true },
        about: `the list ${name}`,
      } as const;
      await io.client.send({ ...call, missing: "forbidden" });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      yield { type: "changed", what: `Archived state of the list ${name}`, reason: reasonOf(error) };
    }
  }
}
