import { plainText } from "./adf.ts";
import { kindOf } from "./field-kinds.ts";
import type { Field, FieldValue, JiraWorld, Project, Site } from "./state.ts";
import { findIssue, keyOf, personOf, schemeOf } from "./store.ts";

/** A value in the history: an id where there is one, and the text that people read. */
export type Trace = { id: string | null; text: string | null };

/** How the history names a value. */
export function traceOf(
  world: JiraWorld,
  site: Site,
  project: Project,
  field: Field,
  value: FieldValue,
): Trace {
  if (value === null || value === undefined) return { id: null, text: null };
  const named = (list: readonly { id: string; name: string }[]): Trace => ({
    id: String(value),
    text: list.find(({ id }) => id === value)?.name ?? "",
  });
  const many = (one: (id: string) => string): Trace => {
    const ids = value as string[];
    return { id: `[${ids.join(", ")}]`, text: ids.map(one).join(", ") };
  };
  const optionName = (id: string | null) => field.options.find((option) => option.id === id)?.value ?? "";
  switch (kindOf(field)) {
    case "adf":
      return { id: null, text: plainText(value) };
    case "option":
      return { id: String(value), text: optionName(String(value)) };
    case "options":
      return many(optionName);
    case "cascade": {
      const { parentId, childId } = value as { parentId: string; childId: string | null };
      const text = `Parent values: ${optionName(parentId)}(${parentId})`;
      return {
        id: null,
        text: childId === null ? text : `${text}Level 1 values: ${optionName(childId)}(${childId})`,
      };
    }
    case "user":
      return { id: String(value), text: personOf(world, String(value)).displayName };
    case "users":
      return many((id) => personOf(world, id).displayName);
    case "group":
      return named(site.groups);
    case "groups":
      return many((id) => site.groups.find((group) => group.id === id)?.name ?? "");
    case "labels":
      return { id: null, text: (value as string[]).join(" ") };
    case "project":
      return named(site.projects);
    case "version":
      return named(project.versions);
    case "versions":
      return many((id) => project.versions.find((version) => version.id === id)?.name ?? "");
    case "components":
      return many((id) => project.components.find((component) => component.id === id)?.name ?? "");
    case "priority":
      return named(site.priorities);
    case "resolution":
      return named(site.resolutions);
    case "security":
      return named(schemeOf(site, project, "security")?.levels ?? []);
    case "parent":
    case "epic-link": {
      const issue = findIssue(world, site, String(value));
      return { id: String(value), text: issue ? keyOf(site, issue) : "" };
    }
    case "sprint":
      return {
        id: (value as string[]).join(", "),
        text: (value as string[])
          .map((id) => site.sprints.find((sprint) => sprint.id === id)?.name)
          .join(", "),
      };
    case "datetime":
      return { id: new Date(Number(value)).toISOString(), text: new Date(Number(value)).toUTCString() };
    default:
      return { id: null, text: typeof value === "object" ? JSON.stringify(value) : String(value) };
  }
}
