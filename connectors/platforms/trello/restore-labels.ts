import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { paths } from "./client.ts";
import { makeSeries, postThing, readAll } from "./make-series.ts";
import { labelSchema, labelsSchema, type TrelloLabel } from "./payloads.ts";
import { LARGEST_PAGE } from "./read-board.ts";
import { recordPaths } from "./record-paths.ts";
import type { RestoreIo } from "./restore-io.ts";

/** Labels, also those without a name or colour and those that are twice the same. @returns new ids by the old ones */
export async function* restoreLabels(io: RestoreIo): AsyncGenerator<RestoreEvent, Map<string, string>> {
  const members = await readAll(io, recordPaths.labels, labelSchema);
  const query = { limit: LARGEST_PAGE };
  const made = yield* makeSeries<TrelloLabel>(io, {
    name: "labels",
    members,
    keyOf: ({ name, color }) => JSON.stringify([name.trim(), color]),
    existing: () =>
      io.client.request(
        { method: "GET", path: paths.boardLabels(io.boardId), query, about: "the new labels" },
        labelsSchema,
      ),
    create: ({ name, color }) => postThing(io, paths.labels, { name, color, idBoard: io.boardId }, "a label"),
    refused: ({ name, color }, reason) => ({ type: "impossible", what: `Label ${name || color}`, reason }),
  });
  if (made.size > 0) yield { type: "restored", kind: "label", count: made.size };
  return made;
}
