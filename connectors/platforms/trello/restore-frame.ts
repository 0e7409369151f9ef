import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { readAll } from "./make-series.ts";
import {
  customFieldSchema,
  labelSchema,
  listSchema,
  type TrelloCustomField,
  type TrelloList,
} from "./payloads.ts";
import { recordPaths } from "./record-paths.ts";
import { restoreCustomFields } from "./restore-custom-fields.ts";
import type { RestoreIo } from "./restore-io.ts";
import { restoreLabels } from "./restore-labels.ts";
import { restoreLists } from "./restore-lists.ts";

/** New ids of what cards refer to, by the old ones. What is missing there did not come back. */
export type Frame = {
  lists: ReadonlyMap<string, string>;
  labels: ReadonlyMap<string, string>;
  fields: ReadonlyMap<string, string>;
  options: ReadonlyMap<string, string>;
  /** All fields of the version, also those that Trello refused: their values come back as text. */
  sourceFields: readonly TrelloCustomField[];
  sourceLists: readonly TrelloList[];
};

/** Labels, lists and custom fields: what the cards need. */
export async function* restoreFrame(io: RestoreIo): AsyncGenerator<RestoreEvent, Frame> {
  const labels = yield* restoreLabels(io, await readAll(io, recordPaths.labels, labelSchema));
  yield { type: "checkpoint" };
  const sourceLists = await readAll(io, recordPaths.lists, listSchema);
  const lists = yield* restoreLists(io, sourceLists);
  yield { type: "checkpoint" };
  const sourceFields = await readAll(io, recordPaths.customFields, customFieldSchema);
  const { fields, options } = yield* restoreCustomFields(io, sourceFields);
  yield { type: "checkpoint" };
  return { lists, labels, fields, options, sourceFields, sourceLists };
}
