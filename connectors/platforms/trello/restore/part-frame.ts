import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { paths } from "../client.ts";
import type { TrelloList } from "../payloads.ts";
import type { PartOfBoard } from "../read/part-of-board.ts";
import type { Frame } from "./frame.ts";
import { makeSeries, postThing } from "./make-series.ts";
import { lookAtTarget, type PartTarget } from "./part-target.ts";
import { restoreCustomFields } from "./restore-custom-fields.ts";
import type { RestoreIo } from "./restore-io.ts";
import { restoreLabels } from "./restore-labels.ts";
import { readLists, restoreLists } from "./restore-lists.ts";

/** Creates what the cards of a part need on a new board: their list, labels and custom fields. */
export async function* newPartFrame(io: RestoreIo, part: PartOfBoard): AsyncGenerator<RestoreEvent, Frame> {
  const labels = yield* restoreLabels(io, part.labels);
  const sourceLists = [{ ...part.list, closed: false }];
  const lists = yield* restoreLists(io, sourceLists);
  const { fields, options } = yield* restoreCustomFields(io, part.fields);
  yield { type: "checkpoint" };
  return { lists, labels, fields, options, sourceFields: part.fields, sourceLists };
}

/**
 * The same on an existing board: uses what matches, adds what is missing, and changes nothing. Custom fields belong to
 * the board, so none are added; values of missing fields are restored as text.
 */
export async function* oldPartFrame(
  io: RestoreIo,
  part: PartOfBoard,
): AsyncGenerator<RestoreEvent, Frame & { target: PartTarget }> {
  const target = await lookAtTarget(io, part);
  const missing = part.labels.filter(({ id }) => target.labels[id] === undefined);
  const made = yield* restoreLabels(io, missing);
  const lists =
    target.listId === null ? yield* addList(io, part.list, target) : [[part.list.id, target.listId] as const];
  for (const { id, name } of part.fields) {
    if (target.fields[id] !== undefined) continue;
    const reason = "The board has none that accepts its values; they are in the descriptions of the cards.";
    yield { type: "changed", what: `Custom field ${name}`, reason };
  }
  yield { type: "checkpoint" };
  return {
    lists: new Map(lists),
    labels: new Map([...Object.entries(target.labels), ...made]),
    fields: new Map(Object.entries(target.fields)),
    options: new Map(Object.entries(target.options)),
    sourceFields: part.fields,
    sourceLists: [{ ...part.list, closed: false }],
    target,
  };
}

/** Adds a list at the end of the board, even if it has one of the same name. */
async function* addList(
  io: RestoreIo,
  list: TrelloList,
  { passedLists }: PartTarget,
): AsyncGenerator<RestoreEvent, Map<string, string>> {
  const made = yield* makeSeries<TrelloList>(io, {
    name: "lists",
    members: [list],
    keyOf: ({ name }) => name.trim(),
    existing: () => readLists(io),
    passed: new Set(passedLists),
    create: ({ name }) => postThing(io, paths.lists, { name, pos: "bottom", idBoard: io.boardId }, "a list"),
    refused: ({ name }, reason) => ({ type: "missing", what: `List ${name} with its cards`, reason }),
  });
  if (made.size > 0) yield { type: "restored", kind: "list", count: made.size };
  return made;
}
