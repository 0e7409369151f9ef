import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { customFieldSchema, labelSchema, listSchema } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import type { Frame } from "./frame.ts";
import { readAll } from "./make-series.ts";
import { restoreCustomFields } from "./restore-custom-fields.ts";
import type { RestoreIo } from "./restore-io.ts";
import { restoreLabels } from "./restore-labels.ts";
import { restoreLists } from "./restore-lists.ts";

/** Creates labels, lists and custom fields, which the cards need. */
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
