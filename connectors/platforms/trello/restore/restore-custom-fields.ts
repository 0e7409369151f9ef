import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { paths } from "../client.ts";
import { customFieldsSchema, type TrelloCustomField } from "../payloads.ts";
import { makeSeries, postThing } from "./make-series.ts";
import type { RestoreIo } from "./restore-io.ts";

/** Restores custom fields with their options. A Trello plan without them refuses; values are then restored as text. */
export async function* restoreCustomFields(
  io: RestoreIo,
  members: TrelloCustomField[],
): AsyncGenerator<RestoreEvent, { fields: Map<string, string>; options: Map<string, string> }> {
  const existing = () => readCustomFields(io);
  const fields = yield* makeSeries<TrelloCustomField>(io, {
    name: "custom fields",
    members,
    keyOf: ({ name, type }) => JSON.stringify([name.trim(), type]),
    existing,
    create: (field) => postThing(io, paths.customFields, fieldBody(io.boardId, field), "a custom field"),
    refused: ({ name }, reason) => ({
      type: "changed",
      what: `Custom field ${name}`,
      reason: `Trello refused it; its values are in the descriptions of the cards. ${reason}`,
    }),
  });
  if (fields.size > 0) yield { type: "restored", kind: "custom-field", count: fields.size };
  const hasOptions = members.some(({ id, options }) => fields.has(id) && options.length > 0);
  const options = hasOptions ? matchOptions(members, fields, await existing()) : new Map<string, string>();
  return { fields, options };
}

/** The board's current custom fields. */
export function readCustomFields(io: Pick<RestoreIo, "client" | "boardId">): Promise<TrelloCustomField[]> {
  const path = paths.boardCustomFields(io.boardId);
  return io.client.request({ method: "GET", path, about: "the custom fields" }, customFieldsSchema);
}

function fieldBody(boardId: string, { name, type, pos, display, options }: TrelloCustomField) {
  return {
    idModel: boardId,
    modelType: "board",
    name,
    type,
    pos: pos ?? "bottom",
    display_cardFront: display.cardFront,
    ...(type === "list"
      ? {
          options: options.map(({ value, color, pos }) => ({
            value: { text: value.text },
            color: color ?? "none",
            ...(pos === undefined ? {} : { pos }),
          })),
        }
      : {}),
  };
}

/** Options are created with their field, so new ones are matched by text and colour, in order. */
export function matchOptions(
  members: readonly TrelloCustomField[],
  fields: ReadonlyMap<string, string>,
  existing: readonly TrelloCustomField[],
): Map<string, string> {
  const matched = new Map<string, string>();
  for (const field of members) {
    const there = existing.find(({ id }) => id === fields.get(field.id));
    const free = [...(there?.options ?? [])].sort((one, other) => (one.pos ?? 0) - (other.pos ?? 0));
    const wanted = [...field.options].sort((one, other) => (one.pos ?? 0) - (other.pos ?? 0));
    for (const option of wanted) {
      const index = free.findIndex(({ value }) => value.text.trim() === option.value.text.trim());
      const [found] = index === -1 ? [] : free.splice(index, 1);
      const [from, to] = [option.id ?? option._id, found?.id ?? found?._id];
      if (from !== undefined && to !== undefined) matched.set(from, to);
    }
  }
  return matched;
}
