import { type Context, Hono } from "hono";
import { z } from "zod";
import { spoilOrder } from "#connectors/toolkit/simulator/gateway.ts";
import { topOf } from "./consent-parts.ts";
import { contentControl } from "./control-content.ts";
import { getPerson, getWorkspace } from "./control-parts.ts";
import { grantAccess } from "./grants.ts";
import { newId } from "./ids.ts";
import { CAPABILITIES, type Grant, type NotionWorld } from "./state.ts";
import { now } from "./store.ts";

const login = z.string().default("nora");
const tokenOrder = z.strictObject({
  login,
  /** Name of a workspace; by default the person's first one. */
  workspace: z.string().optional(),
  /** Ids of the chosen pages and databases; by default all at the top. */
  pages: z.array(z.string()).optional(),
  capabilities: z.array(z.enum(CAPABILITIES)).optional(),
  /** With a bot of its own, which shares nothing with the person's other grants. */
  isApart: z.boolean().default(false),
});
const whose = z.strictObject({ login: z.string().optional() });
const settingsOrder = z.strictObject({
  requestsPerWindow: z.number().optional(),
  windowMs: z.number().optional(),
  burst: z.number().optional(),
  searchLagMs: z.number().optional(),
  queryRows: z.number().optional(),
  fileLifetimeMs: z.number().optional(),
  uploadLifetimeMs: z.number().optional(),
  freeBlocks: z.number().optional(),
  freeFileBytes: z.number().optional(),
  paidFileBytes: z.number().optional(),
  partBytes: z.number().optional(),
  smallestPartBytes: z.number().optional(),
  trashShowsBelow: z.boolean().optional(),
  markdownBlocks: z.number().optional(),
  taskMs: z.number().optional(),
});
const personOrder = z.strictObject({
  login: z.string(),
  name: z.string(),
  email: z.string(),
  /** Names of workspaces; one that does not exist is made. */
  workspaces: z.array(z.string()),
});
const sharedOrder = z.strictObject({ login, workspace: z.string().optional(), pages: z.array(z.string()) });

/** `/__sim/notion/…`: lets tests and the demo cause what happens at Notion without us. */
export function controlRoutes(world: NotionWorld): Hono {
  const app = new Hono().basePath("/notion");
  app.onError((error, c) => c.json({ message: error.message }, 400));
  app.use("*", async (c, next) => {
    await next();
    if (c.req.method !== "GET") world.save();
  });
  app.get("/workspaces", (c) => c.json({ workspaces: world.state.workspaces }));
  app.post("/people", async (c) => {
    const { workspaces, ...person } = personOrder.parse(await c.req.json());
    const { state } = world;
    const workspaceIds = workspaces.map((name) => {
      const known = state.workspaces.find((each) => each.name === name);
      if (known) return known.id;
      const made = { id: newId(state), name, icon: null, plan: "business" as const, rootIds: [] };
      state.workspaces.push(made);
      return made.id;
    });
    state.people.push({ id: newId(state), ...person, workspaceIds, isGuest: false });
    return c.json({ workspaceIds });
  });
  app.route("/", grantRoutes(world));
  app.route("/", surroundingsRoutes(world));
  app.route("/", contentControl(world));
  return app;
}

function grantRoutes(world: NotionWorld): Hono {
  const app = new Hono();
  const grantsOf = (name: string | undefined): Grant[] => {
    const personId = name === undefined ? undefined : getPerson(world, name).id;
    return world.state.grants.filter((grant) => personId === undefined || grant.personId === personId);
  };
  const readWhose = async (c: Context) => whose.parse(JSON.parse((await c.req.text()) || "{}")).login;
  app.post("/token", async (c) => {
    const order = tokenOrder.parse(await c.req.json());
    const person = getPerson(world, order.login);
    const workspace = getWorkspace(world, person, order.workspace);
    const { capabilities, isApart } = order;
    const rootIds = order.pages ?? topOf(world, workspace);
    const wish = { personId: person.id, workspaceId: workspace.id, rootIds, isApart };
    const grant = grantAccess(world, capabilities === undefined ? wish : { ...wish, capabilities });
    const { token, refreshToken, botId } = grant;
    return c.json({ token, refreshToken, botId, workspaceId: workspace.id });
  });
  app.post("/token/revoke", async (c) => {
    for (const grant of grantsOf(await readWhose(c))) grant.isRevoked = true;
    return c.body(null, 204);
  });
  // An access token that no longer works, while its refresh token does.
  app.post("/expire-tokens", async (c) => {
    for (const grant of grantsOf(await readWhose(c))) grant.token = `expired ${grant.token}`;
    return c.body(null, 204);
  });
  app.post("/shared-pages", async (c) => {
    const { login: name, workspace, pages } = sharedOrder.parse(await c.req.json());
    const { id } = getWorkspace(world, getPerson(world, name), workspace);
    const own = grantsOf(name).filter(({ workspaceId, isApart }) => workspaceId === id && !isApart);
    for (const grant of own) grant.rootIds = [...pages];
    return c.body(null, 204);
  });
  app.post("/exhaust-quota", async (c) => {
    for (const { botId } of grantsOf(await readWhose(c)))
      world.windows.set(botId, { tokens: 0, at: now(world) });
    return c.body(null, 204);
  });
  return app;
}

function surroundingsRoutes(world: NotionWorld): Hono {
  const app = new Hono();
  app.post("/settings", async (c) => {
    Object.assign(world.settings, settingsOrder.parse(await c.req.json()));
    world.windows.clear();
    return c.body(null, 204);
  });
  app.post("/clock", async (c) => {
    world.clockOffsetMs += z.strictObject({ advanceMs: z.number() }).parse(await c.req.json()).advanceMs;
    return c.body(null, 204);
  });
  app.post("/spoil-answers", async (c) => {
    world.spoils.push(spoilOrder.parse(await c.req.json()));
    return c.body(null, 204);
  });
  app.post("/expire-files", (c) => {
    world.filesExpireAt = now(world);
    return c.body(null, 204);
  });
  app.post("/miss-in-search", async (c) => {
    const { ids } = z.strictObject({ ids: z.array(z.string()) }).parse(await c.req.json());
    world.state.missedBySearch.push(...ids);
    return c.body(null, 204);
  });
  return app;
}
