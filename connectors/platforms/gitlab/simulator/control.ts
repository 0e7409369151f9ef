import { Hono } from "hono";
import { z } from "zod";
import { tokenControl } from "#connectors/toolkit/simulator/grant-control.ts";
import { addCommits, addFiles, rewriteBranch } from "#connectors/toolkit/simulator/histories.ts";
import { recordControlRoutes } from "./control-records.ts";
import { protectDefaultBranch } from "./git.ts";
import { followSourceBranches } from "./merge-request-refs.ts";
import { findNamespace, findUser, namespaceId } from "./namespaces.ts";
import {
  codeDirectory,
  createProject,
  deleteProject,
  fullPath,
  lookUpProject,
  moveProject,
  touchProject,
} from "./projects.ts";
import type { GitlabWorld, Project } from "./state.ts";
import { issueToken } from "./tokens.ts";

const creation = z.strictObject({
  path: z.string(),
  visibility: z.enum(["private", "internal", "public"]).default("private"),
  description: z.string().nullable().default(null),
});
const commitsOrder = z.object({
  count: z.number().int().min(1).max(1_000).default(1),
  branch: z.string().optional(),
});
const filesOrder = z.object({
  files: z.array(z.object({ path: z.string(), base64: z.string() })).default([]),
  deleted: z.array(z.string()).default([]),
  branch: z.string().optional(),
});
const forcePushOrder = z.object({ back: z.number().int().min(1).default(1), branch: z.string().optional() });
const level = z.enum(["disabled", "private", "enabled"]).optional();
const switches = z.strictObject({
  visibility: z.enum(["private", "internal", "public"]).optional(),
  isArchived: z.boolean().optional(),
  issuesAccess: level,
  mergeRequestsAccess: level,
  wikiAccess: level,
  snippetsAccess: level,
});
const tokenOrder = z.object({ login: z.string(), scopes: z.array(z.string()).default(["api"]) });
const settingsOrder = z.strictObject({
  rateLimit: z.number().int().min(0).optional(),
  issueLimit: z.number().int().min(0).optional(),
  noteLimit: z.number().int().min(0).optional(),
  failedAuthLimit: z.number().int().min(0).optional(),
  tokenLifetimeMs: z.number().int().min(0).optional(),
  pushLimitBytes: z.number().int().min(1).optional(),
  offsetLimit: z.number().int().min(0).optional(),
  countLimit: z.number().int().min(0).optional(),
  jobMs: z.number().int().min(0).optional(),
});

/**
 * `/__sim/gitlab/…`: lets tests and the demo cause what happens at GitLab without us. A project is named by its id or
 * by its full path, percent-encoded, as in the API.
 */
export function controlRoutes(world: GitlabWorld): Hono {
  const app = new Hono().basePath("/gitlab");
  const base = "/projects/:id";
  app.onError((error, c) => c.json({ message: error.message }, 400));
  const find = (key: string): Project => {
    const lookup = lookUpProject(world, key);
    if (lookup.kind === "missing") throw new Error(`There is no project ${key}`);
    return lookup.project;
  };
  app.post("/projects", async (c) => {
    const { path, ...order } = creation.parse(await c.req.json());
    const name = path.split("/").at(-1) ?? path;
    const namespace = findNamespace(world, path.split("/").slice(0, -1).join("/"));
    if (!namespace) throw new Error(`There is no namespace for ${path}`);
    const creatorId = namespace.kind === "user" ? namespace.user.id : (world.state.users[0]?.id ?? 0);
    const project = createProject(world, {
      ...order,
      namespaceId: namespaceId(namespace),
      path: name,
      name,
      creatorId,
    });
    return c.json({ id: project.id, path: fullPath(world, project) }, 201);
  });
  const moveBranch = async (project: Project, move: (directory: string) => Promise<string>) => {
    if (project.external) throw new Error("This repository is not the simulator's own");
    const head = await move(codeDirectory(world, project));
    protectDefaultBranch(world, project);
    followSourceBranches(world, project);
    touchProject(world, project);
    return head;
  };
  app.post(`${base}/commits`, async (c) => {
    const order = commitsOrder.parse(await c.req.json().catch(() => ({})));
    const head = await moveBranch(find(c.req.param("id")), (directory) => addCommits(directory, order));
    return c.json({ head });
  });
  app.post(`${base}/files`, async (c) => {
    const order = filesOrder.parse(await c.req.json());
    const head = await moveBranch(find(c.req.param("id")), (directory) => addFiles(directory, order));
    return c.json({ head });
  });
  app.post(`${base}/force-push`, async (c) => {
    const order = forcePushOrder.parse(await c.req.json().catch(() => ({})));
    const head = await moveBranch(find(c.req.param("id")), (directory) => rewriteBranch(directory, order));
    return c.json({ head });
  });
  app.post(`${base}/delete`, (c) => {
    deleteProject(world, find(c.req.param("id")));
    return c.body(null, 204);
  });
  app.post(`${base}/rename`, async (c) => {
    const { path, name } = z
      .object({ path: z.string(), name: z.string().optional() })
      .parse(await c.req.json());
    const project = find(c.req.param("id"));
    project.name = name ?? path;
    moveProject(world, project, { path });
    return c.body(null, 204);
  });
  app.post(`${base}/switch`, async (c) => {
    Object.assign(find(c.req.param("id")), switches.parse(await c.req.json()));
    world.save();
    return c.body(null, 204);
  });
  app.route("/", accountRoutes(world));
  app.route("/", recordControlRoutes(world, find));
  return app;
}

function accountRoutes(world: GitlabWorld): Hono {
  const app = new Hono();
  app.post("/token", async (c) => {
    const { login, scopes } = tokenOrder.parse(await c.req.json());
    const user = findUser(world, login);
    if (!user) return c.json({ message: "no such user" }, 404);
    return c.json({ token: issueToken(world, { userId: user.id, scopes }).value });
  });
  const tokensOf = (login: string | undefined) => {
    const userId = login === undefined ? null : findUser(world, login)?.id;
    return world.state.tokens.filter((token) => userId === null || token.userId === userId);
  };
  app.route("/", tokenControl({ tokensOf, save: () => world.save() }));
  app.post("/members", async (c) => {
    const order = z
      .strictObject({
        project: z.string().optional(),
        group: z.string().optional(),
        login: z.string(),
        level: z.number().int(),
      })
      .parse(await c.req.json());
    const user = findUser(world, order.login);
    const namespace = findNamespace(world, order.group ?? "");
    const lookup = lookUpProject(world, order.project ?? "");
    const place =
      namespace?.kind === "group" ? namespace.group : lookup.kind === "missing" ? null : lookup.project;
    if (!user || !place) return c.json({ message: "no such user, group or project" }, 404);
    place.members = place.members.filter(({ userId }) => userId !== user.id);
    const createdAt = new Date().toISOString();
    if (order.level > 0)
      place.members.push({ userId: user.id, level: order.level, createdAt, expiresAt: null });
    world.save();
    return c.body(null, 204);
  });
  app.post("/settings", async (c) => {
    Object.assign(world.settings, settingsOrder.parse(await c.req.json()));
    return c.body(null, 204);
  });
  return app;
}
