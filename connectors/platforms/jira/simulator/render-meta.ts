import { CUSTOM_KINDS, kindOf, schemaOf } from "./field-kinds.ts";
import { settableFields } from "./issue-input.ts";
import {
  renderComponent,
  renderIssueType,
  renderNamed,
  renderProjectShort,
  renderVersion,
} from "./render-config.ts";
import type { Field, IssueType, Project, Transition } from "./state.ts";
import { byId, schemeOf } from "./store.ts";
import type { Viewer } from "./viewer.ts";

/** What can be set on a create (or, with `transition`, a transition) screen. */
export function renderFieldMeta(
  viewer: Viewer,
  project: Project,
  type: IssueType,
  transition: Transition | null,
) {
  if (transition) {
    return (transition.screen ?? []).map((id) => {
      const isRequired = transition.required?.includes(id) ?? false;
      return renderOne(viewer, project, byId(viewer.site.fields, id), isRequired);
    });
  }
  const { issuetype, project: projectField } = namedFields(viewer);
  const fixed = [
    {
      ...renderOne(viewer, project, issuetype, true),
      operations: [],
      allowedValues: [renderIssueType(viewer, type)],
    },
    {
      ...renderOne(viewer, project, projectField, true),
      operations: ["set"],
      allowedValues: [renderProjectShort(viewer, project)],
    },
  ];
  const fields = settableFields(viewer.site, project, type).map((field) =>
    renderOne(viewer, project, field, field.id === "summary" || (field.id === "parent" && type.level === -1)),
  );
  return [...fixed, ...fields];
}

function namedFields({ site }: Viewer) {
  return { issuetype: byId(site.fields, "issuetype"), project: byId(site.fields, "project") };
}

function renderOne(viewer: Viewer, project: Project, field: Field, required: boolean) {
  const allowedValues = allowedOf(viewer, project, field);
  return {
    required,
    schema: schemaOf(field),
    name: field.name,
    key: field.id,
    fieldId: field.id,
    hasDefaultValue: field.id === "priority" || field.id === "reporter",
    operations: operationsOf(field),
    ...(allowedValues ? { allowedValues } : {}),
  };
}

function operationsOf(field: Field): string[] {
  const isList =
    (field.typeKey === null ? schemaOf(field) : CUSTOM_KINDS[field.typeKey]?.schema)?.type === "array";
  return isList && kindOf(field) !== "sprint" ? ["add", "set", "remove"] : ["set"];
}

function allowedOf(viewer: Viewer, project: Project, field: Field): unknown[] | null {
  const { site, base } = viewer;
  switch (kindOf(field)) {
    case "priority": {
      const ids = schemeOf(site, project, "priority")?.ids ?? site.priorities.map(({ id }) => id);
      return ids.map((id) => renderNamed(viewer, "priority", site.priorities, id));
    }
    case "resolution":
      return site.resolutions.map(({ id }) => renderNamed(viewer, "resolution", site.resolutions, id));
    case "security": {
      const levels = schemeOf(site, project, "security")?.levels ?? [];
      return levels.map(({ id }) => renderNamed(viewer, "securitylevel", levels, id));
    }
    case "components":
      return project.components.map((component) => renderComponent(viewer, component));
    case "version":
    case "versions":
      return project.versions.map((version) => renderVersion(viewer, version));
    case "option":
    case "options":
    case "cascade":
      return field.options
        .filter(({ parentId, isDisabled }) => parentId === null && !isDisabled)
        .map(({ id, value }) => {
          const children = field.options.filter(({ parentId }) => parentId === id);
          const self = `${base}/rest/api/3/customFieldOption/`;
          const show = (one: { id: string; value: string }) => ({
            self: `${self}${one.id}`,
            value: one.value,
            id: one.id,
          });
          return { ...show({ id, value }), ...(children.length > 0 ? { children: children.map(show) } : {}) };
        });
    default:
      return null;
  }
}
