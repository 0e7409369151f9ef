import { newId } from "../ids.ts";
import type { Fields } from "../state.ts";
import { type Option, readOptions } from "./options.ts";
import type { Writer } from "./writer.ts";

/** Groups of a status property, and the options that it has when a request has no others. Source: Notion's default status. */
const GROUPS = [
  { name: "To-do", color: "gray", option: { name: "Not started", color: "default" } },
  { name: "In progress", color: "blue", option: { name: "In progress", color: "blue" } },
  { name: "Complete", color: "green", option: { name: "Done", color: "green" } },
];

type Group = { id: string; name: string; color: string; option_ids: string[] };

/**
 * The configuration of a status property. A request has no groups: its options stand in the group "To-do".
 * Source: types of `@notionhq/client`, which have options only. The group is unproven.
 */
export function readStatus(writer: Writer, value: unknown, place: string, before: Fields | null): Fields {
  const present = (before?.options ?? []) as Option[];
  const makeId = () => newId(writer.world.state);
  if (value === undefined && before !== null) return before;
  if (value === undefined) {
    const options = GROUPS.map(({ option }) => ({ id: makeId(), ...option, description: null }));
    const groups = GROUPS.map(({ name, color }, index) => ({
      ...{ id: makeId(), name, color },
      option_ids: [options[index]!.id],
    }));
    return { options, groups };
  }
  const options = readOptions(writer, value, place, present);
  const groups: Group[] =
    (before?.groups as Group[] | undefined) ??
    GROUPS.map(({ name, color }) => ({ id: makeId(), name, color, option_ids: [] }));
  const grouped = groups.flatMap((group) => group.option_ids);
  const added = options.map(({ id }) => id).filter((id) => !grouped.includes(id));
  const kept = groups.map((group, index) => ({
    ...group,
    option_ids: [
      ...group.option_ids.filter((id) => options.some((option) => option.id === id)),
      ...(index === 0 ? added : []),
    ],
  }));
  return { options, groups: kept };
}
