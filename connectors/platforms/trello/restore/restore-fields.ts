import type { Json } from "#core/kernel/canonical-json.ts";
import type { TrelloCard, TrelloCustomField } from "../payloads.ts";
import type { Frame } from "./frame.ts";
import { withAppendix } from "./quote-trello.ts";

/** A card's field values for the new board's fields, as the body of one call. */
export function fieldValues(card: TrelloCard, frame: Frame): Json[] {
  return card.customFieldItems.flatMap(({ idCustomField, idValue, value }): Json[] => {
    const field = frame.fields.get(idCustomField);
    if (field === undefined) return [];
    const option = idValue === null ? undefined : frame.options.get(idValue);
    if (option !== undefined) return [{ idCustomField: field, idValue: option }];
    return value === null ? [] : [{ idCustomField: field, value }];
  });
}

/** The description, with the values of fields that the new board lacks. */
export function valuesAsText(card: TrelloCard, frame: Frame): { text: string; isCut: boolean } {
  const lines = frame.sourceFields
    .filter(({ id }) => !frame.fields.has(id))
    .flatMap((field) => {
      const shown = valueText(card, field);
      return shown === null ? [] : [`- ${field.name}: ${shown}`];
    });
  if (lines.length === 0) return { text: card.desc, isCut: false };
  return withAppendix(card.desc, ["**Custom fields**", "", ...lines].join("\n"));
}

/** The display value of a field on a card; null when it has none. */
export function valueText(card: TrelloCard, field: TrelloCustomField): string | null {
  const item = card.customFieldItems.find(({ idCustomField }) => idCustomField === field.id);
  if (item === undefined) return null;
  if (item.idValue !== null) {
    const option = field.options.find(({ id, _id }) => (id ?? _id) === item.idValue);
    return option?.value.text ?? null;
  }
  const [value] = Object.values(item.value ?? {});
  return value === undefined || value === null ? null : String(value);
}
