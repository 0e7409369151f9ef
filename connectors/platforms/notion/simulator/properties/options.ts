import { newId } from "../ids.ts";
import { invalid } from "../refused.ts";
import type { Fields } from "../state.ts";
import { type Input, readList, readObject, readOneOf, readText, unfit } from "./read-input.ts";
import type { Writer } from "./writer.ts";

/** Most options of one write. Source: [limits]. */
export const OPTIONS = 100;
const OPTION_LENGTH = 100;

/** Colours of options. Source: contract, `SelectColor`. */
const COLORS = ["default", "gray", "brown", "orange", "yellow", "green", "blue", "purple", "pink", "red"];

export type Option = { id: string; name: string; color: string; description: string | null };

/**
 * Reads the options of a select, multi-select or status property. Options that are left out are removed; one that is
 * there keeps its id and colour. Source: the documentation of property schemas: options may be renamed by their id, and
 * a colour cannot be changed.
 */
export function readOptions(
  writer: Writer,
  value: unknown,
  place: string,
  present: readonly Option[],
): Option[] {
  const options = readList(value, place, OPTIONS).map((each, index) => {
    const here = `${place}[${index}]`;
    const input = readObject(each, here, ["id", "name", "color", "description"]);
    const known = findOption(present, input);
    if (input.id !== undefined && known === null) throw unfit(`${here}.id`, "the id of an option", input.id);
    return readOption(writer, input, here, known);
  });
  const names = options.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw invalid(`Option names must be unique: ${twice}`);
  return options;
}

/**
 * Reads a chosen option of a value. A select takes an option that is not there yet and adds it; a status does not.
 * Source: the documentation of property values.
 */
export function readChoice(
  writer: Writer,
  value: unknown,
  place: string,
  { present, mayAdd }: { present: readonly Option[]; mayAdd: boolean },
): Option {
  const input = readObject(value, place, ["id", "name", "color", "description"]);
  if (input.id === undefined && input.name === undefined)
    throw unfit(place, "an option with a name or id", input);
  const known = findOption(present, input);
  if (known !== null) return known;
  if (input.id !== undefined || !mayAdd)
    throw invalid(`Invalid option: ${JSON.stringify(input.name ?? input.id)} does not exist.`);
  return readOption(writer, input, place, null);
}

/** An option as values show it. */
export const chosen = ({ id, name, color }: Option): Fields => ({ id, name, color });

function findOption(present: readonly Option[], { id, name }: Input): Option | null {
  return present.find((each) => (id === undefined ? each.name === name : each.id === id)) ?? null;
}

function readOption({ world }: Writer, input: Input, place: string, known: Option | null): Option {
  const name =
    input.name === undefined && known ? known.name : readText(input.name, `${place}.name`, OPTION_LENGTH);
  if (name === "") throw unfit(`${place}.name`, "a name", name);
  if (name.includes(",")) throw invalid(`Invalid select option, commas not allowed: ${name}`);
  const color =
    input.color === undefined
      ? (known?.color ?? "default")
      : readOneOf(input.color, `${place}.color`, COLORS);
  if (known !== null && color !== known.color)
    throw invalid(`Cannot update color of select with name: ${known.name}`);
  const description =
    input.description === undefined
      ? (known?.description ?? null)
      : input.description === null
        ? null
        : readText(input.description, `${place}.description`, 280);
  return { id: known?.id ?? newId(world.state), name, color, description };
}
