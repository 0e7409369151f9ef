import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { paths } from "../client.ts";
import { labelsSchema, type TrelloLabel } from "../payloads.ts";
import { LARGEST_PAGE } from "../read/read-board.ts";
import { makeSeries, postThing } from "./make-series.ts";
import type { RestoreIo } from "./restore-io.ts";

/** Restores labels, including duplicates and labels without a name or colour. @returns new ids by old id */
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

/** A key that is equal for labels of the same name and colour. */
export function labelKey({ name, color }: TrelloLabel): string {
  return JSON.stringify([name.trim(), color]);
}

/** The board's current labels. */
export function readLabels(io: Pick<RestoreIo, "client" | "boardId">): Promise<TrelloLabel[]> {
  const query = { limit: LARGEST_PAGE };
  const call = { method: "GET", path: paths.boardLabels(io.boardId), query, about: "the labels" } as const;
  return io.client.request(call, labelsSchema);
}
