import { kindOf } from "./field-kinds.ts";
import { renderComponent, renderNamed, renderProjectShort, renderVersion } from "./render-config.ts";
import { renderPerson } from "./render-people.ts";
import type { Field, FieldValue, Project } from "./state.ts";
import { findIssue, keyOf, schemeOf } from "./store.ts";
import { jiraTime } from "./times.ts";
import type { Viewer } from "./viewer.ts";

/** A stored value as the API shows it. Null = empty. */
export function showValue(viewer: Viewer, project: Project, field: Field, value: FieldValue): unknown {
  const { site, base } = viewer;
  const kind = kindOf(field);
  if (value === null || value === undefined) return LISTS.has(kind) && field.typeKey === null ? [] : null;
  const one = (id: unknown) => String(id);
  switch (kind) {
    case "datetime":
      return jiraTime(Number(value), viewer.person.timeZone);
    case "option":
      return renderOption(base, field, one(value));
    case "options":
      return (value as string[]).map((id) => renderOption(base, field, id));
    case "cascade": {
      const { parentId, childId } = value as { parentId: string; childId: string | null };
      const child = childId === null ? {} : { child: renderOption(base, field, childId) };
      return { ...renderOption(base, field, parentId), ...child };
    }
    case "user":
      return renderPerson(viewer, one(value));
    case "users":
      return (value as string[]).map((id) => renderPerson(viewer, id));
    case "group":
      return renderGroup(viewer, one(value));
    case "groups":
      return (value as string[]).map((id) => renderGroup(viewer, id));
    case "project": {
      const found = site.projects.find(({ id }) => id === value);
      return found ? renderProjectShort(viewer, found) : null;
    }
    case "version":
      return (
        project.versions.filter(({ id }) => id === value).map((known) => renderVersion(viewer, known))[0] ??
        null
      );
    case "versions":
      return project.versions
        .filter(({ id }) => (value as string[]).includes(id))
        .map((version) => renderVersion(viewer, version));
    case "components":
      return project.components
        .filter(({ id }) => (value as string[]).includes(id))
        .map((component) => renderComponent(viewer, component));
    case "priority":
      return renderNamed(viewer, "priority", site.priorities, one(value));
    case "resolution":
      return renderNamed(viewer, "resolution", site.resolutions, one(value));
    case "security":
      return renderNamed(
        viewer,
        "securitylevel",
        schemeOf(site, project, "security")?.levels ?? [],
        one(value),
      );
    case "sprint":
      return (value as string[]).flatMap((id) => renderSprintValue(viewer, id));
    case "team":
      return { id: value, name: `Team ${one(value).slice(0, 4)}`, isVisible: true };
    case "epic-link": {
      const epic = findIssue(viewer.world, site, one(value));
      return epic ? keyOf(site, epic) : null;
    }
    default:
      return value;
  }
}

/** System fields of these kinds are empty lists rather than null. */
const LISTS: ReadonlySet<string> = new Set(["labels", "versions", "components"]);

function renderOption(base: string, field: Field, id: string) {
  const value = field.options.find((option) => option.id === id)?.value ?? "";
  return { self: `${base}/rest/api/3/customFieldOption/${id}`, value, id };
}

function renderGroup({ base, site }: Viewer, id: string) {
  const name = site.groups.find((group) => group.id === id)?.name ?? "";
  return { name, groupId: id, self: `${base}/rest/api/3/group?groupId=${id}` };
}

/** A sprint as the sprint field shows it: with numbers as ids, and UTC times. */
function renderSprintValue({ site }: Viewer, id: string): Record<string, unknown>[] {
  const sprint = site.sprints.find((known) => known.id === id);
  if (!sprint) return [];
  const times = Object.entries({
    startDate: sprint.startAt,
    endDate: sprint.endAt,
    completeDate: sprint.completedAt,
  }).flatMap(([name, at]) => (at === null ? [] : [[name, new Date(at).toISOString()] as const]));
  return [
    {
      id: Number(sprint.id),
      name: sprint.name,
      state: sprint.state,
      boardId: Number(sprint.boardId),
      goal: sprint.goal,
      ...Object.fromEntries(times),
    },
  ];
}
