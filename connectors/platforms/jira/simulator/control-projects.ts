import { Hono } from "hono";
import { z } from "zod";
import type { ControlWorld } from "./control-world.ts";
import { dumpProject, hashOf } from "./dump.ts";
import { nextId } from "./ids.ts";
import { createComponent, createProject, createVersion, deleteProject } from "./projects.ts";
import { fillFleetProject } from "./seed-fleet.ts";
import { fillProject } from "./seed-full.ts";
import { createField } from "./sites.ts";
import { PROJECT_TYPES, type Project, type Scheme, type Site } from "./state.ts";
import { findProject, issuesOf, keyOf, schemeOf } from "./store.ts";
import { TEMPLATES, type TemplateName } from "./templates.ts";

const projectOrder = z.strictObject({
  key: z.string(),
  name: z.string(),
  login: z.string().default("nora@meridian.example"),
  template: z.enum(Object.keys(TEMPLATES) as [TemplateName, ...TemplateName[]]).default("scrum"),
  description: z.string().optional(),
  isPrivate: z.boolean().optional(),
  /** `full` = one of everything, with odd names; `fleet` = the demo's scrum project. */
  content: z.enum(["empty", "full", "fleet"]).default("empty"),
});

const versionOrder = z.strictObject({
  name: z.string(),
  description: z.string().optional(),
  isReleased: z.boolean().optional(),
  isArchived: z.boolean().optional(),
  startDate: z.string().optional(),
  releaseDate: z.string().optional(),
});

/** Control routes for projects, their parts, fields and rights. */
export function controlProjects({ world, person, site }: ControlWorld): Hono {
  const app = new Hono();
  const projectAt = (slug: string, key: string): [Site, Project] => {
    const known = site(slug);
    const project = findProject(known, key);
    if (!project) throw new Error(`There is no project ${key}`);
    return [known, project];
  };
  app.get("/sites/:site/projects", (c) =>
    c.json({
      projects: site(c.req.param("site")).projects.map(({ id, key, name, typeKey }) => ({
        id,
        key,
        name,
        typeKey,
      })),
    }),
  );
  app.post("/sites/:site/projects", async (c) => {
    const { login, content, ...order } = projectOrder.parse(await c.req.json());
    const known = site(c.req.param("site"));
    const by = person(login);
    const project = createProject(world, known, { ...order, leadId: by.accountId });
    const others = known.members.map(({ accountId }) => person(accountId)).filter((one) => one !== by);
    if (content === "full") {
      fillProject(world, known, project, { by, crew: others, startAt: Date.now() - 20 * 86_400_000 });
    }
    const [second = by, third = by] = others;
    if (content === "fleet") fillFleetProject(world, known, project, [by, second, third]);
    return c.json({ id: project.id, key: project.key }, 201);
  });
  app.post("/sites/:site/projects/:key/edit", async (c) => {
    const [known, project] = projectAt(c.req.param("site"), c.req.param("key"));
    const schema = z.strictObject({
      key: z.string().optional(),
      name: z.string().optional(),
      description: z.string().optional(),
      isPrivate: z.boolean().optional(),
      isArchived: z.boolean().optional(),
      typeKey: z.enum(PROJECT_TYPES).optional(),
      properties: z.record(z.string(), z.unknown()).optional(),
    });
    const change = schema.parse(await c.req.json());
    const issues = issuesOf(world, known, project);
    // Issues are still found by the keys that they had.
    if (change.key !== undefined) for (const issue of issues) issue.oldKeys.push(keyOf(known, issue));
    Object.assign(project, change);
    world.indexes.delete(known.cloudId);
    world.save();
    return c.body(null, 204);
  });
  app.post("/sites/:site/projects/:key/delete", async (c) => {
    const [known, project] = projectAt(c.req.param("site"), c.req.param("key"));
    const { how } = z
      .strictObject({ how: z.enum(["trash", "purge"]).default("trash") })
      .parse(JSON.parse((await c.req.text()) || "{}"));
    deleteProject(world, known, project, how);
    return c.body(null, 204);
  });
  app.post("/sites/:site/projects/:key/components", async (c) => {
    const [known, project] = projectAt(c.req.param("site"), c.req.param("key"));
    const schema = z.strictObject({ name: z.string(), description: z.string().optional() });
    return c.json(createComponent(world, known, project, schema.parse(await c.req.json())), 201);
  });
  app.post("/sites/:site/projects/:key/versions", async (c) => {
    const [known, project] = projectAt(c.req.param("site"), c.req.param("key"));
    return c.json(createVersion(world, known, project, versionOrder.parse(await c.req.json())), 201);
  });
  app.post("/sites/:site/projects/:key/roles", async (c) => {
    const [known, project] = projectAt(c.req.param("site"), c.req.param("key"));
    const schema = z.strictObject({ role: z.string(), logins: z.array(z.string()) });
    const { role, logins } = schema.parse(await c.req.json());
    const found = known.roles.find(({ name }) => name === role);
    if (!found) throw new Error(`There is no role ${role}`);
    project.roleActors[found.id] = logins.map((login) => ({
      kind: "user",
      accountId: person(login).accountId,
    }));
    world.save();
    return c.body(null, 204);
  });
  /** Security levels, each with the people who see its issues. */
  app.post("/sites/:site/projects/:key/security", async (c) => {
    const [known, project] = projectAt(c.req.param("site"), c.req.param("key"));
    const schema = z.strictObject({
      levels: z.array(z.strictObject({ name: z.string(), logins: z.array(z.string()) })),
    });
    const { levels } = schema.parse(await c.req.json());
    const scheme: Scheme = {
      id: nextId(known, "securityscheme"),
      kind: "security",
      name: `${project.key}: Issue Security Scheme`,
      description: "",
      levels: levels.map(({ name, logins }) => ({
        id: nextId(known, "securitylevel"),
        name,
        description: "",
        members: logins.map((login) => ({ kind: "user" as const, accountId: person(login).accountId })),
      })),
      defaultLevelId: null,
    };
    known.schemes.push(scheme);
    project.schemeIds.security = scheme.id;
    world.save();
    return c.json({ levels: scheme.levels?.map(({ id, name }) => ({ id, name })) }, 201);
  });
  /** Takes a permission away from everybody who is not named by a role. */
  app.post("/sites/:site/projects/:key/permissions", async (c) => {
    const [known, project] = projectAt(c.req.param("site"), c.req.param("key"));
    const schema = z.strictObject({ permission: z.string(), roles: z.array(z.string()) });
    const { permission, roles } = schema.parse(await c.req.json());
    const shared = schemeOf(known, project, "permission");
    const own: Scheme = {
      ...shared!,
      id: nextId(known, "permissionscheme"),
      name: `${project.key}: Permission Scheme`,
    };
    const roleIds = roles.map((name) => known.roles.find((role) => role.name === name)?.id ?? "");
    own.grants = [
      ...(shared?.grants ?? []).filter((grant) => grant.permission !== permission),
      ...roleIds.map((roleId) => ({
        id: nextId(known, "grant"),
        permission,
        holder: { kind: "projectRole" as const, roleId },
      })),
    ];
    known.schemes.push(own);
    project.schemeIds.permission = own.id;
    world.save();
    return c.body(null, 204);
  });
  app.post("/sites/:site/fields", async (c) => {
    const schema = z.strictObject({
      name: z.string(),
      type: z.string(),
      options: z.array(z.string()).optional(),
      projects: z.array(z.string()).optional(),
    });
    const { projects, ...order } = schema.parse(await c.req.json());
    const slug = c.req.param("site");
    const projectIds = projects?.map((key) => projectAt(slug, key)[1].id);
    const field = createField(world, site(slug), { ...order, ...(projectIds ? { projectIds } : {}) });
    return c.json({ id: field.id, options: field.options.map(({ id, value }) => ({ id, value })) }, 201);
  });
  app.get("/sites/:site/projects/:key/dump", (c) =>
    c.json(dumpProject(world, ...projectAt(c.req.param("site"), c.req.param("key")))),
  );
  app.get("/sites/:site/projects/:key/fingerprint", (c) => {
    const dump = dumpProject(world, ...projectAt(c.req.param("site"), c.req.param("key")));
    return c.json({ fingerprint: hashOf(dump) });
  });
  return app;
}
