import { randomUUID } from "node:crypto";
import { SYSTEM_FIELDS, typeKeyOf } from "./field-kinds.ts";
import { nextId } from "./ids.ts";
import { PROJECT_PERMISSIONS } from "./permissions.ts";
import type { Edition, Field, JiraWorld, Person, Scope, Site } from "./state.ts";

/** Ids of the roles of every site, as new sites have them. */
export const ADMINISTRATORS = "10002";
export const MEMBERS = "10003";
export const VIEWERS = "10004";

/** Makes a site with its first administrator, and what every site begins with. */
export function createSite(
  world: JiraWorld,
  order: {
    slug: string;
    name: string;
    edition: Edition;
    cloudId?: string;
    people: readonly [Person, isAdmin: boolean][];
  },
): Site {
  const groups = ["jira-users", "jira-administrators"].map((prefix) => ({
    id: randomUUID(),
    name: `${prefix}-${order.slug}`,
  }));
  const [users, admins] = groups.map(({ id }) => id) as [string, string];
  const site: Site = {
    cloudId: order.cloudId ?? randomUUID(),
    slug: order.slug,
    name: order.name,
    edition: order.edition,
    members: order.people.map(([{ accountId }, isAdmin]) => ({
      accountId,
      isAdmin,
      groupIds: isAdmin ? [users, admins] : [users],
    })),
    groups,
    counters: { role: 10_004 },
    ...{ projects: [], issues: [], links: [], statuses: [], issueTypes: [], workflows: [], schemes: [] },
    ...{
      filters: [],
      boards: [],
      sprints: [],
      tasks: [],
      deletedWorklogs: [],
      withheld: [],
      mails: 0,
      fields: systemFields(),
    },
    priorities: ["Highest", "High", "Medium", "Low", "Lowest"].map((name, index) => ({
      id: String(index + 1),
      name,
      description: "",
      color: ["#d04437", "#f15C75", "#f79232", "#707070", "#999999"][index]!,
      isDefault: name === "Medium",
    })),
    resolutions: ["Done", "Won't Do", "Duplicate", "Cannot Reproduce"].map((name, index) => ({
      id: String(10_000 + index),
      name,
      description: "",
    })),
    linkTypes: [
      ["Blocks", "is blocked by", "blocks"],
      ["Cloners", "is cloned by", "clones"],
      ["Duplicate", "is duplicated by", "duplicates"],
      ["Relates", "relates to", "relates to"],
    ].map(([name, inward, outward], index) => ({
      id: String(10_000 + index),
      name: name!,
      inward: inward!,
      outward: outward!,
    })),
    roles: [
      {
        id: ADMINISTRATORS,
        name: "Administrators",
        description: "A project role that represents administrators in a project",
      },
      { id: MEMBERS, name: "Member", description: "A project role that represents members in a project" },
      { id: VIEWERS, name: "Viewer", description: "A project role that represents viewers in a project" },
    ],
  };
  site.schemes.push(
    {
      id: "0",
      kind: "permission",
      name: "Default Permission Scheme",
      description:
        "This is the default Permission Scheme. Any new projects that are created will be assigned this scheme.",
      grants: defaultGrants(site),
    },
    {
      id: "10000",
      kind: "notification",
      name: "Default Notification Scheme",
      description: "",
      events: [
        { eventId: 1, name: "Issue created", tells: ["CurrentAssignee", "Reporter", "AllWatchers"] },
        { eventId: 2, name: "Issue updated", tells: ["CurrentAssignee", "Reporter", "AllWatchers"] },
        { eventId: 6, name: "Issue commented", tells: ["CurrentAssignee", "Reporter", "AllWatchers"] },
      ],
    },
    {
      id: "1",
      kind: "priority",
      name: "Default priority scheme",
      description: "",
      ids: ["1", "2", "3", "4", "5"],
    },
    { id: "10000", kind: "fieldconfiguration", name: "Default Field Configuration", description: "" },
  );
  world.state.sites.push(site);
  for (const [name, short] of [
    ["Sprint", "gh-sprint"],
    ["Rank", "gh-lexo-rank"],
    ["Story point estimate", "jsw-story-points"],
    ["Start date", "datepicker"],
    ["Development", "devsummarycf"],
  ] as const) {
    const field = createField(world, site, { name, type: short });
    field.isLocked = short !== "datepicker";
  }
  world.save();
  return site;
}

function systemFields(): Field[] {
  return Object.entries(SYSTEM_FIELDS).map(([id, { name }]) => ({
    id,
    name,
    description: "",
    typeKey: null,
    options: [],
    projectIds: null,
    scope: null,
    isLocked: true,
    createdAt: 0,
  }));
}

function defaultGrants(site: Site) {
  const open = ["BROWSE_PROJECTS", "ADD_COMMENTS", "CREATE_ATTACHMENTS", "VIEW_VOTERS_AND_WATCHERS"];
  const limited = ["ADMINISTER_PROJECTS", "DELETE_ISSUES", "SET_ISSUE_SECURITY"];
  return Object.keys(PROJECT_PERMISSIONS).flatMap((permission) => {
    const id = () => nextId(site, "grant");
    const role = (roleId: string) => ({
      id: id(),
      permission,
      holder: { kind: "projectRole" as const, roleId },
    });
    const own = [role(ADMINISTRATORS)];
    if (!limited.includes(permission)) own.push(role(MEMBERS));
    if (permission === "BROWSE_PROJECTS") own.push(role(VIEWERS));
    const everyone = { id: id(), permission, holder: { kind: "applicationRole" as const } };
    const isOpen = open.includes(permission) || !limited.includes(permission);
    return isOpen ? [...own, everyone] : own;
  });
}

/** Makes a custom field. `projects` limits it to their contexts. */
export function createField(
  world: JiraWorld,
  site: Site,
  order: {
    name: string;
    type: string;
    options?: readonly (string | readonly [string, readonly string[]])[];
    projectIds?: string[];
    scope?: Scope;
    at?: number;
  },
): Field {
  const field: Field = {
    id: `customfield_${nextId(site, "field")}`,
    name: order.name,
    description: "",
    typeKey: typeKeyOf(order.type),
    options: [],
    projectIds: order.projectIds ?? null,
    scope: order.scope ?? null,
    isLocked: false,
    createdAt: order.at ?? Date.now(),
  };
  for (const one of order.options ?? []) {
    const [value, children] = typeof one === "string" ? [one, []] : one;
    const parent = { id: nextId(site, "option"), value, isDisabled: false, parentId: null };
    field.options.push(parent);
    for (const child of children) {
      field.options.push({
        id: nextId(site, "option"),
        value: child,
        isDisabled: false,
        parentId: parent.id,
      });
    }
  }
  site.fields.push(field);
  world.save();
  return field;
}
