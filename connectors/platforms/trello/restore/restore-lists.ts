import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { paths } from "../client.ts";
import { listsSchema, type TrelloList } from "../payloads.ts";
import type { Frame } from "./frame.ts";
import { makeSeries, postThing } from "./make-series.ts";
import type { RestoreIo } from "./restore-io.ts";
import { isRefusal, reasonOf } from "./restore-refusal.ts";

/** Restores lists as open, because cards go into them. {@link finishLists} archives them at the end. */
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

/** After their cards are restored: watches the lists that the account watched, and archives the archived ones. */
export async function* finishLists(
  io: RestoreIo,
  { lists, sourceLists }: Frame,
): AsyncGenerator<RestoreEvent, void> {
  for (const list of sourceLists) {
    const made = lists.get(list.id);
    const body = lastOfList(list);
    if (body === null || made === undefined) continue;
    try {
      const about = `the list ${list.name}`;
      await io.client.send({ method: "PUT", path: paths.list(made), body, about, missing: "forbidden" });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      yield { type: "changed", what: `Archived state of the list ${list.name}`, reason: reasonOf(error) };
    }
  }
}

/** The last change of a restored list; null = none. */
export function lastOfList({ closed, subscribed }: TrelloList): Record<string, true> | null {
  if (!closed && !subscribed) return null;
  return { ...(closed && { closed }), ...(subscribed && { subscribed }) };
}
