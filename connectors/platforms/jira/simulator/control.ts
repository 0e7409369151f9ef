import { Hono } from "hono";
import { z } from "zod";
import { spoilOrder } from "#connectors/toolkit/simulator/gateway.ts";
import { tokenControl } from "#connectors/toolkit/simulator/grant-control.ts";
import { controlIssues } from "./control-issues.ts";
import { controlProjects } from "./control-projects.ts";
import type { ControlWorld } from "./control-world.ts";
import { issueForgeToken } from "./forge-access.ts";
import { newAccountId, newSecret } from "./ids.ts";
import { exhaust, pointsUsed } from "./limits.ts";
import { SCOPES } from "./scopes.ts";
import { createSite } from "./sites.ts";
import type { JiraSettings, JiraWorld, Person } from "./state.ts";
import { findPerson, findSite } from "./store.ts";
import { issueToken } from "./tokens.ts";

const email = z.string().default("nora@meridian.example");
const edition = z.enum(["free", "standard", "premium", "enterprise"]);
const tokenOrder = z.strictObject({
  login: email,
  /** Slugs or cloud ids; absent = all sites of the person. */
  sites: z.array(z.string()).optional(),
  scopes: z.array(z.string()).optional(),
});

/** `/__sim/jira/…`: lets tests and the demo cause what happens at Jira without us. People are named by e-mail. */
export function controlRoutes(world: JiraWorld): Hono {
  const app = new Hono().basePath("/jira");
  app.onError((error, c) => c.json({ message: error.message }, 400));
  const control: ControlWorld = {
    world,
    person(key) {
      const person = findPerson(world, key);
      if (!person) throw new Error(`There is nobody called ${key}`);
      return person;
    },
    site(key) {
      const site = findSite(world, key);
      if (!site) throw new Error(`There is no site ${key}`);
      return site;
    },
  };
  app.post("/spoil-answers", async (c) => {
    world.spoils.push(spoilOrder.parse(await c.req.json()));
    return c.body(null, 204);
  });
  app.route("/", accountControl(control));
  app.route("/", limitControl(control));
  app.route("/", controlProjects(control));
  app.route("/", controlIssues(control));
  return app;
}

function accountControl({ world, person, site }: ControlWorld): Hono {
  const app = new Hono();
  app.get("/sites", (c) =>
    c.json({ sites: world.state.sites.map(({ cloudId, slug, name }) => ({ cloudId, slug, name })) }),
  );
  app.post("/sites", async (c) => {
    const schema = z.strictObject({
      slug: z.string(),
      name: z.string(),
      edition: edition.default("standard"),
      login: email,
    });
    const { login, ...order } = schema.parse(await c.req.json());
    const { cloudId, slug } = createSite(world, { ...order, people: [[person(login), true]] });
    return c.json({ cloudId, slug }, 201);
  });
  app.post("/people", async (c) => {
    const schema = z.strictObject({
      email: z.string(),
      displayName: z.string(),
      timeZone: z.string().default("Etc/UTC"),
      accountType: z.enum(["atlassian", "app", "customer"]).default("atlassian"),
    });
    const made: Person = { accountId: newAccountId(), isActive: true, ...schema.parse(await c.req.json()) };
    world.state.people.push(made);
    world.save();
    return c.json({ accountId: made.accountId }, 201);
  });
  app.post("/people/:key/edit", async (c) => {
    const schema = z.strictObject({
      displayName: z.string().optional(),
      timeZone: z.string().optional(),
      isActive: z.boolean().optional(),
    });
    Object.assign(person(c.req.param("key")), schema.parse(await c.req.json()), { changedAt: Date.now() });
    world.save();
    return c.body(null, 204);
  });
  /**
   * As if the person deleted the account. Atlassian: "Their name will be replaced by Former user" ("What happens when an
   * account is deactivated vs. deleted?"). What the history wrote down stays, because nothing proves that it goes.
   */
  app.post("/people/:key/close", (c) => {
    const gone = person(c.req.param("key"));
    Object.assign(gone, { displayName: "Former user", email: "", isActive: false, isClosed: true });
    for (const token of world.state.tokens) if (token.accountId === gone.accountId) token.isRevoked = true;
    world.save();
    return c.body(null, 204);
  });
  app.post("/sites/:site/members", async (c) => {
    const { login, role } = z
      .strictObject({ login: z.string(), role: z.enum(["admin", "user", "none"]) })
      .parse(await c.req.json());
    const known = site(c.req.param("site"));
    const { accountId } = person(login);
    known.members = known.members.filter((member) => member.accountId !== accountId);
    const [users, admins] = known.groups.map(({ id }) => id) as [string, string];
    if (role !== "none") {
      const groupIds = role === "admin" ? [users, admins] : [users];
      known.members.push({ accountId, isAdmin: role === "admin", groupIds });
    }
    world.save();
    return c.body(null, 204);
  });
  app.post("/sites/:site/withhold", async (c) => {
    const { permissions } = z.strictObject({ permissions: z.array(z.string()) }).parse(await c.req.json());
    site(c.req.param("site")).withheld = permissions;
    world.save();
    return c.body(null, 204);
  });
  app.get("/sites/:site/mails", (c) => c.json({ mails: site(c.req.param("site")).mails }));
  /** As if an administrator of the site removed the app: tokens stay, but no longer reach it. */
  app.post("/sites/:site/remove-app", (c) => {
    const { cloudId } = site(c.req.param("site"));
    for (const token of world.state.tokens) token.cloudIds = token.cloudIds.filter((id) => id !== cloudId);
    world.save();
    return c.body(null, 204);
  });
  /** Bearer token of OAuth, as the consent page gives. */
  app.post("/token", async (c) => {
    const { login, sites, scopes = Object.keys(SCOPES) } = tokenOrder.parse(await c.req.json());
    const { accountId } = person(login);
    const own = world.state.sites.filter(({ members }) =>
      members.some((member) => member.accountId === accountId),
    );
    const cloudIds = (sites?.map(site) ?? own).map(({ cloudId }) => cloudId);
    const { value, refreshToken } = issueToken(world, { accountId, cloudIds, scopes });
    return c.json({ token: value, refreshToken, authorization: `Bearer ${value}` });
  });
  /** As if everybody had consented before the app asked for a scope. */
  app.post("/withdraw-scope", async (c) => {
    const { scope } = z.strictObject({ scope: z.string() }).parse(await c.req.json());
    for (const token of world.state.tokens) token.scopes = token.scopes.filter((one) => one !== scope);
    world.save();
    return c.body(null, 204);
  });
  /** A token that Forge passes to the app's remote: the app's own, or that of a person. */
  app.post("/sites/:site/forge-token", async (c) => {
    const schema = z.strictObject({
      login: z.string().optional(),
      scopes: z.array(z.string()),
      lifeMs: z.number().optional(),
    });
    const { login, scopes, lifeMs } = schema.parse(await c.req.json());
    const whose = login === undefined ? {} : { accountId: person(login).accountId };
    const life = lifeMs === undefined ? {} : { lifeMs };
    const token = issueForgeToken(world, site(c.req.param("site")), { scopes, ...whose, ...life });
    return c.json({ token: token.value, expiresAt: token.expiresAt });
  });
  app.post("/api-token", async (c) => {
    const schema = z.strictObject({ login: email, scopes: z.array(z.string()).nullable().default(null) });
    const { login, scopes } = schema.parse(await c.req.json());
    const owner = person(login);
    const value = newSecret("ATATT3x", 60);
    world.state.apiTokens.push({
      value,
      accountId: owner.accountId,
      scopes,
      isRevoked: false,
      expiresAt: null,
    });
    world.save();
    const authorization = `Basic ${Buffer.from(`${owner.email}:${value}`).toString("base64")}`;
    return c.json({ token: value, email: owner.email, authorization });
  });
  const tokensOf = (login: string | undefined) => {
    const accountId = login === undefined ? null : person(login).accountId;
    const all = [...world.state.tokens, ...world.state.apiTokens];
    return all.filter((token) => accountId === null || token.accountId === accountId);
  };
  app.route("/", tokenControl({ tokensOf, save: () => world.save() }));
  /** As if somebody else had used the refresh tokens. */
  app.post("/use-refresh-tokens", (c) => {
    for (const token of world.state.tokens) token.refreshToken = null;
    world.save();
    return c.body(null, 204);
  });
  return app;
}

function limitControl({ world, site }: ControlWorld): Hono {
  const app = new Hono();
  const whose = z.strictObject({ site: z.string().optional() });
  app.post("/exhaust-quota", async (c) => {
    const order = whose.parse(await c.req.json());
    exhaust(world, order.site === undefined ? null : site(order.site).cloudId);
    return c.body(null, 204);
  });
  app.get("/points", (c) => {
    const key = c.req.query("site");
    return c.json({ used: pointsUsed(world, key === undefined ? null : site(key).cloudId) });
  });
  app.post("/reset-limits", (c) => {
    world.ledger.windows.clear();
    return c.body(null, 204);
  });
  app.post("/index-lag", async (c) => {
    world.settings.indexLagMs = z.strictObject({ ms: z.number().min(0) }).parse(await c.req.json()).ms;
    return c.body(null, 204);
  });
  app.post("/settings", async (c) => {
    const names = Object.entries(world.settings).filter(
      ([, value]) => typeof value === "number" || value === null,
    );
    const shape = Object.fromEntries(names.map(([name]) => [name, z.number().min(0).nullable().optional()]));
    Object.assign(world.settings, z.strictObject(shape).parse(await c.req.json()) as Partial<JiraSettings>);
    // Running windows would keep the old length.
    world.ledger.windows.clear();
    return c.body(null, 204);
  });
  return app;
}
