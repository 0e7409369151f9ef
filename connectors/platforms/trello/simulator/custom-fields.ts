import { isDeepStrictEqual } from "node:util";
import { addAction } from "./actions.ts";
import { newId } from "./ids.ts";
import { type Place, placeAmong } from "./positions.ts";
import { Refused, tooMany } from "./refused.ts";
import type {
  Board,
  Card,
  CustomField,
  CustomFieldItem,
  CustomFieldOption,
  CustomFieldType,
  Member,
  TrelloWorld,
} from "./state.ts";
import { isPaid, organizationOf } from "./store.ts";

/** Id of the custom fields Power-Up. */
export const CUSTOM_FIELDS_PLUGIN = "56d5e249a98895a9797bebb9";

/** Refuses changes of custom fields when the workspace's plan has none. */
export function requireCustomFields(world: TrelloWorld, board: Board): void {
  if (isPaid(organizationOf(world, board))) return;
  throw new Refused(403, {
    error: "PLUGIN_NOT_ENABLED",
    message: "Custom Fields are not available on this board.",
  });
}

/** Creates a custom field; a field of type `list` with its options. */
export function createCustomField(
  world: TrelloWorld,
  board: Board,
  by: Member,
  order: {
    name: string;
    type: CustomFieldType;
    place?: Place;
    isOnFront?: boolean;
    options?: { text: string; color?: string; place?: Place }[];
    at?: number;
  },
): CustomField {
  if (board.customFields.length >= world.settings.customFieldLimit) throw tooMany("customFields.perBoard");
  const field: CustomField = {
    id: newId(world.state, order.at),
    name: order.name,
    type: order.type,
    pos: placeAmong(board.customFields, order.place ?? "bottom"),
    isOnFront: order.isOnFront ?? true,
    options: [],
  };
  for (const option of order.options ?? []) createOption(world, field, { ...option, at: order.at });
  board.customFields.push(field);
  if (!board.plugins.includes(CUSTOM_FIELDS_PLUGIN)) board.plugins.push(CUSTOM_FIELDS_PLUGIN);
  world.index.set(field.id, { kind: "customField", board, field });
  const data = { customField: { id: field.id, name: field.name } };
  addAction(world, board, { type: "createCustomField", by, at: order.at, data });
  world.save();
  return field;
}

/** Adds an option to a field of type `list`. */
export function createOption(
  world: TrelloWorld,
  field: CustomField,
  order: { text: string; color?: string; place?: Place; at?: number },
): CustomFieldOption {
  if (field.options.length >= world.settings.optionLimit) throw tooMany("customFieldOptions.perField");
  const option = {
    id: newId(world.state, order.at),
    text: order.text,
    color: order.color ?? "none",
    pos: placeAmong(field.options, order.place ?? "bottom"),
  };
  field.options.push(option);
  world.save();
  return option;
}

/** Deletes a field and its values on every card. */
export function deleteCustomField(world: TrelloWorld, board: Board, by: Member, field: CustomField): void {
  board.customFields = board.customFields.filter((known) => known !== field);
  for (const card of board.cards) {
    card.customFieldItems = card.customFieldItems.filter(({ idCustomField }) => idCustomField !== field.id);
  }
  world.index.delete(field.id);
  const data = { customField: { id: field.id, name: field.name } };
  addAction(world, board, { type: "deleteCustomField", by, data });
  world.save();
}

/** A value as requested: an object by type, an option's id, or neither. */
export type AskedValue = { value: Record<string, unknown> | null; idValue: string | null };

/**
 * Sets or clears the value of a field on a card. Values are stored as text, as at Trello.
 * @throws Refused 400 when the value does not fit the field's type
 */
export function setCustomFieldItem(
  world: TrelloWorld,
  board: Board,
  by: Member,
  order: { card: Card; field: CustomField; asked: AskedValue; at?: number },
): CustomFieldItem | null {
  const { card, field, at } = order;
  const fitted = fitValue(field, order.asked);
  const before = card.customFieldItems.find(({ idCustomField }) => idCustomField === field.id);
  const isSame =
    isDeepStrictEqual(before?.value ?? null, fitted?.value ?? null) &&
    (before?.idValue ?? null) === (fitted?.idValue ?? null);
  // An unchanged value adds no entry to the history.
  if (isSame) return before ?? null;
  const others = card.customFieldItems.filter((known) => known !== before);
  const item =
    fitted === null ? null : { id: before?.id ?? newId(world.state, at), idCustomField: field.id, ...fitted };
  card.customFieldItems = item === null ? others : [...others, item];
  const data = {
    old: { value: before?.value ?? null, idValue: before?.idValue ?? null },
    customField: { id: field.id, name: field.name, type: field.type },
    customFieldItem: {
      id: item?.id ?? before?.id,
      idCustomField: field.id,
      idModel: card.id,
      modelType: "card",
      // An option has no value, and a cleared field has neither.
      ...(item?.value ? { value: item.value } : {}),
      ...(item?.idValue ? { idValue: item.idValue } : {}),
    },
  };
  addAction(world, board, { type: "updateCustomFieldItem", by, card, at, data });
  world.save();
  return item;
}

const KEYS = { checkbox: "checked", date: "date", number: "number", text: "text" } as const;

function fitValue(
  field: CustomField,
  { value, idValue }: AskedValue,
): Pick<CustomFieldItem, "value" | "idValue"> | null {
  const wrong = () => new Refused(400, { message: "Invalid custom field item value.", error: "ERROR" });
  if (field.type === "list") {
    // A list field has only an option, no value.
    if (value !== null) throw wrong();
    if (idValue === null) return null;
    if (!field.options.some(({ id }) => id === idValue)) throw wrong();
    return { value: null, idValue };
  }
  if (value === null || Object.keys(value).length === 0) return null;
  const key = KEYS[field.type];
  const names = Object.keys(value);
  if (names.length !== 1 || names[0] !== key) throw wrong();
  const raw = value[key];
  if (typeof raw !== "string" && typeof raw !== "number" && typeof raw !== "boolean") throw wrong();
  const text = String(raw);
  if (text === "") return null;
  if (key === "number" && (text.trim() === "" || Number.isNaN(Number(text)))) throw wrong();
  if (key === "date" && Number.isNaN(Date.parse(text))) throw wrong();
  if (key === "checked" && text !== "true") {
    if (text === "false") return null;
    throw wrong();
  }
  return { value: { [key]: key === "date" ? new Date(text).toISOString() : text }, idValue: null };
}
