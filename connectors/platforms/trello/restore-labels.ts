import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { paths } from "./client.ts";
import { makeSeries, postThing } from "./make-series.ts";
import { labelsSchema, type TrelloLabel } from "./payloads.ts";
import { LARGEST_PAGE } from "./read-board.ts";
import type { RestoreIo } from "./restore-io.ts";

/** Labels, also those without a name or colour and those that are twice the same. @returns new ids by the old ones */
export async function* restoreLabels(
  io: RestoreIo,
  members: readonly TrelloLabel[],
): AsyncGenerator<RestoreEvent, Map<string, string>> {
  const made = yield* makeSeries<TrelloLabel>(io, {
    name: "labels",
    members,
    keyOf: labelKey,
    existing: () => readLabels(io),
    create: ({ name, color }) => postThing(io, paths.labels, { name, color, idBoard: io.boardId }, "a label"),
    refused: ({ name, color }, reason) => ({ type: "missing", what: `Label ${name || color}`, reason }),
  });
  if (made.size > 0) yield { type: "restored", kind: "label", count: made.size };
  return made;
}

/** Equal for labels that look alike. */
export function labelKey({ name, color }: TrelloLabel): string {
  return JSON.stringify([name.trim(), color]);
}

/** Labels of the board as it is now. */
export function readLabels(io: Pick<RestoreIo, "client" | "boardId">): Promise<TrelloLabel[]> {
  const query = { limit: LARGEST_PAGE };
  const call = { method: "GET", path: paths.boardLabels(io.boardId), query, about: "the labels" } as const;
  return io.client.request(call, labelsSchema);
}
