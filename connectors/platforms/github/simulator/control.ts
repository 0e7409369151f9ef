import { randomBytes } from "node:crypto";
import { Hono } from "hono";
import { z } from "zod";
import { tokenControl } from "#connectors/toolkit/simulator/grant-control.ts";
import { addCommits, addFiles, rewriteBranch } from "#connectors/toolkit/simulator/histories.ts";
import { lfsPointer, storeLfsFile } from "#connectors/toolkit/simulator/lfs-server.ts";
import { recordControlRoutes } from "./control-records.ts";
import { lfsDirectory } from "./lfs.ts";
import {
  createRepository,
  deleteRepository,
  gitDirectory,
  lookUpRepository,
  renameRepository,
} from "./repositories.ts";
import {
  createAccount,
  createInstallation,
  findAccount,
  type GithubWorld,
  type Repository,
  timestamp,
} from "./state.ts";
import { issueUserToken } from "./tokens.ts";

const commitsOrder = z.object({
  count: z.number().int().min(1).max(1_000).default(1),
  branch: z.string().optional(),
});
const creation = z.strictObject({
  visibility: z.enum(["public", "private"]).default("private"),
  description: z.string().nullable().default(null),
});
const isLfs = z.boolean().default(false);
const givenFile = z.object({ path: z.string(), base64: z.string(), isLfs });
/** A file of random bytes, which does not compress. */
const noiseFile = z
  .object({ path: z.string(), randomBytes: z.number().int().min(0), isLfs })
  .transform(({ randomBytes: size, ...file }) => ({ ...file, base64: randomBytes(size).toString("base64") }));
const filesOrder = z.object({
  /** LFS files go to the LFS server; git history gets their pointers. */
  files: z.array(z.union([givenFile, noiseFile])).default([]),
  deleted: z.array(z.string()).default([]),
  branch: z.string().optional(),
});
const forcePushOrder = z.object({ back: z.number().int().min(1).default(1), branch: z.string().optional() });
const switches = z.strictObject({
  isBlocked: z.boolean().optional(),
  hasPushProtection: z.boolean().optional(),
  visibility: z.enum(["public", "private"]).optional(),
});
const tokenOrder = z.object({ login: z.string(), scopes: z.array(z.string()).nullable().default(null) });
const settingsOrder = z.strictObject({
  rateLimit: z.number().int().min(0).optional(),
  tokenLifetimeMs: z.number().int().min(0).optional(),
  pushLimitBytes: z.number().int().min(1).optional(),
  fileLimitBytes: z.number().int().min(1).optional(),
  canWriteWorkflows: z.boolean().optional(),
  permissions: z.record(z.string(), z.enum(["read", "write"])).optional(),
  contentPerMinute: z.number().int().min(1).optional(),
  contentPerHour: z.number().int().min(1).optional(),
  maxConcurrent: z.number().int().min(1).optional(),
  graphqlLimit: z.number().int().min(0).optional(),
  offersImportToApps: z.boolean().optional(),
  importMs: z.number().int().min(0).optional(),
  mostBytesInTime: z.number().int().min(1).optional(),
  hiddenNodes: z.array(z.string()).optional(),
  brokenFields: z.array(z.string()).optional(),
  downloadMs: z.number().int().min(0).optional(),
});

/** Changes at GitHub that others make. Tests and the demo trigger them through `/__sim/github/…`. */
export function controlRoutes(world: GithubWorld): Hono {
  const app = new Hono().basePath("/github");
  const base = "/repos/:owner/:repo";
  const own = (owner: string, name: string): Repository | null => {
    const lookup = lookUpRepository(world, owner, name);
    return lookup.kind === "missing" || lookup.repository.external ? null : lookup.repository;
  };
  const touch = (repository: Repository) => {
    repository.pushedAt = timestamp();
    repository.updatedAt = repository.pushedAt;
    world.save();
  };
  app.post(base, async (c) => {
    const owner = findAccount(world, c.req.param("owner"));
    if (!owner) return c.json({ message: "no such owner" }, 404);
    const order = creation.parse(await c.req.json().catch(() => ({})));
    const { id } = createRepository(world, { ...order, owner: owner.login, name: c.req.param("repo") });
    return c.json({ id }, 201);
  });
  app.post(`${base}/commits`, async (c) => {
    const repository = own(c.req.param("owner"), c.req.param("repo"));
    if (!repository) return c.json({ message: "no such repository of the simulator's own" }, 404);
    const order = commitsOrder.parse(await c.req.json().catch(() => ({})));
    const head = await addCommits(gitDirectory(world, repository), order);
    touch(repository);
    return c.json({ head });
  });
  app.post(`${base}/files`, async (c) => {
    const repository = own(c.req.param("owner"), c.req.param("repo"));
    if (!repository) return c.json({ message: "no such repository of the simulator's own" }, 404);
    const order = filesOrder.parse(await c.req.json());
    const files = order.files.map((file) => (file.isLfs ? storeInLfs(world, repository, file) : file));
    const head = await addFiles(gitDirectory(world, repository), { ...order, files });
    touch(repository);
    return c.json({ head });
  });
  app.post(`${base}/force-push`, async (c) => {
    const repository = own(c.req.param("owner"), c.req.param("repo"));
    if (!repository) return c.json({ message: "no such repository of the simulator's own" }, 404);
    const order = forcePushOrder.parse(await c.req.json().catch(() => ({})));
    const head = await rewriteBranch(gitDirectory(world, repository), order);
    touch(repository);
    return c.json({ head });
  });
  app.post(`${base}/delete`, (c) => {
    const lookup = lookUpRepository(world, c.req.param("owner"), c.req.param("repo"));
    if (lookup.kind === "missing") return c.json({ message: "no such repository" }, 404);
    deleteRepository(world, lookup.repository);
    return c.body(null, 204);
  });
  app.post(`${base}/rename`, async (c) => {
    const lookup = lookUpRepository(world, c.req.param("owner"), c.req.param("repo"));
    if (lookup.kind === "missing") return c.json({ message: "no such repository" }, 404);
    renameRepository(world, lookup.repository, z.object({ name: z.string() }).parse(await c.req.json()).name);
    return c.body(null, 204);
  });
  app.post(`${base}/switch`, async (c) => {
    const lookup = lookUpRepository(world, c.req.param("owner"), c.req.param("repo"));
    if (lookup.kind === "missing") return c.json({ message: "no such repository" }, 404);
    Object.assign(lookup.repository, switches.parse(await c.req.json()));
    world.save();
    return c.body(null, 204);
  });
  app.route("/", recordControlRoutes(world));
  app.route("/", accountRoutes(world));
  return app;
}

/** Stores a file in LFS and returns its pointer. */
function storeInLfs(
  world: GithubWorld,
  repository: Repository,
  { path, base64 }: { path: string; base64: string },
): { path: string; base64: string } {
  const bytes = Buffer.from(base64, "base64");
  const pointer = lfsPointer(storeLfsFile(lfsDirectory(world, repository), bytes), bytes.length);
  return { path, base64: Buffer.from(pointer).toString("base64") };
}

function accountRoutes(world: GithubWorld): Hono {
  const app = new Hono();
  // Creates a separate user for one test, with the App installed, so that changes affect no other test.
  app.post("/people/:login", async (c) => {
    const login = c.req.param("login");
    if (findAccount(world, login)) return c.json({ message: "somebody has this name" }, 409);
    createAccount(world, { type: "User", login, name: login, email: `${login}@meridian.example` });
    return c.body(null, 204);
  });
  app.post("/token", async (c) => {
    const order = tokenOrder.parse(await c.req.json());
    const account = findAccount(world, order.login);
    if (!account) return c.json({ message: "no such user" }, 404);
    return c.json({ token: issueUserToken(world, { login: account.login, scopes: order.scopes }).value });
  });
  const { tokens } = world.state;
  const tokensOf = (login: string | undefined) =>
    tokens.filter((token) => login === undefined || token.login === login);
  app.route("/", tokenControl({ tokensOf, save: () => world.save() }));
  app.post("/orgs/:org/switch", async (c) => {
    const account = findAccount(world, c.req.param("org"));
    if (!account) return c.json({ message: "no such organisation" }, 404);
    const order = z
      .strictObject({
        isSsoEnforced: z.boolean().optional(),
        isSuspended: z.boolean().optional(),
        isFreePlan: z.boolean().optional(),
      })
      .parse(await c.req.json());
    account.isSsoEnforced = order.isSsoEnforced ?? account.isSsoEnforced;
    account.isFreePlan = order.isFreePlan ?? account.isFreePlan;
    for (const installation of world.state.installations) {
      if (installation.account !== account.login || order.isSuspended === undefined) continue;
      installation.suspendedAt = order.isSuspended ? timestamp() : null;
    }
    world.save();
    return c.body(null, 204);
  });
  // Deletes or restores the App. While it is deleted, all its tokens are invalid.
  app.post("/app/switch", async (c) => {
    const order = z.strictObject({ isDeleted: z.boolean() }).parse(await c.req.json());
    world.state.isAppDeleted = order.isDeleted;
    world.save();
    return c.body(null, 204);
  });
  app.post("/installations/:login", async (c) => {
    const account = findAccount(world, c.req.param("login"));
    if (!account) return c.json({ message: "no such account" }, 404);
    const order = z
      .strictObject({ isInstalled: z.boolean().optional(), isSettlingIn: z.boolean().optional() })
      .parse(await c.req.json());
    const others = world.state.installations.filter((each) => each.account !== account.login);
    const present = world.state.installations.find((each) => each.account === account.login);
    const isInstalled = order.isInstalled ?? present !== undefined;
    const installation = present ?? createInstallation(world, account.login);
    installation.isSettlingIn = order.isSettlingIn ?? installation.isSettlingIn ?? false;
    world.state.installations = isInstalled ? [...others, installation] : others;
    world.save();
    return c.body(null, 204);
  });
  app.post("/settings", async (c) => {
    Object.assign(world.settings, settingsOrder.parse(await c.req.json()));
    return c.body(null, 204);
  });
  return app;
}
