import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { Hono } from "hono";
import { z } from "zod";
import { stripeVars } from "#connectors/payments/stripe/simulator/index.ts";
import {
  type StripeSimulator,
  startStripeSimulator,
} from "#connectors/payments/stripe/simulator/stripe-simulator.ts";
import type { GithubSimulator } from "#connectors/platforms/github/simulator/github-simulator.ts";
import { startHeldGithub } from "#connectors/platforms/github/simulator/held-world.ts";
import {
  createRepository,
  deleteRepository,
  fullName,
  gitDirectory,
} from "#connectors/platforms/github/simulator/repositories.ts";
import { findAccount, type Repository } from "#connectors/platforms/github/simulator/state.ts";
import {
  type GitlabSimulator,
  startGitlabSimulator,
} from "#connectors/platforms/gitlab/simulator/gitlab-simulator.ts";
import { jiraVars } from "#connectors/platforms/jira/simulator/index.ts";
import {
  type JiraSimulator,
  startJiraSimulator,
} from "#connectors/platforms/jira/simulator/jira-simulator.ts";
import { notionVars } from "#connectors/platforms/notion/simulator/index.ts";
import {
  type NotionSimulator,
  startNotionSimulator,
} from "#connectors/platforms/notion/simulator/notion-simulator.ts";
import { trelloVars } from "#connectors/platforms/trello/simulator/index.ts";
import {
  startTrelloSimulator,
  type TrelloSimulator,
} from "#connectors/platforms/trello/simulator/trello-simulator.ts";
import { type S3Simulator, startS3Simulator } from "#connectors/storages/s3/simulator/s3-simulator.ts";
import { filledOnce } from "#connectors/toolkit/simulator/filled-once.ts";
import { addCommits } from "#connectors/toolkit/simulator/histories.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { type ApiDocument, readApiDocument } from "#tests/conformance/api-document.ts";
import { faultsOfOpenApi } from "#tests/conformance/check-openapi.ts";
import { type OidcSimulator, startOidcSimulator } from "#tests/simulators/oidc/oidc-simulator.ts";
import { signInVars } from "#tests/simulators/serve.ts";
import {
  type AlmanacSimulator,
  startAlmanacSimulator,
} from "#tests/sixth-platform/almanac/simulator/almanac-simulator.ts";
import { cloneFrom, fingerprint } from "./fingerprint.ts";
import { judgeZip } from "./judge-zip.ts";
import { outsideDrives } from "./outside-drives.ts";
import type { RuntimeLog } from "./runtime-log.ts";

const OWNER = "nora-lindqvist";
const NORA = ["-c", "user.name=Nora Lindqvist", "-c", "user.email=nora@meridian.example"];
const creation = z.object({
  name: z.string(),
  content: z.enum(["tiny", "full", "empty", "many-refs", "sha256"]),
});
const answerOrder = z.object({
  method: z.string(),
  path: z.string(),
  status: z.number(),
  body: z.unknown(),
});
const gitOrder = z.object({ repository: z.string(), args: z.array(z.string()) });

/** The world outside workerd for flow tests: simulated GitHubs, real git, and checks of ZIP archives. */
export type OutsideWorld = { fetch(request: Request): Response | Promise<Response>; stop(): Promise<void> };

/**
 * Opens what only Node can do for flow tests. Every test file opens its own GitHub, so that faults in one file never
 * affect another.
 */
export function openOutsideWorld(runtimeLog: Pick<RuntimeLog, "from" | "length">): OutsideWorld {
  const worlds = new Map<string, GithubSimulator>();
  const identityProviders: OidcSimulator[] = [];
  const gitlabs = new Map<string, GitlabSimulator>();
  const s3s = new Map<string, S3Simulator>();
  const trellos = new Map<string, TrelloSimulator>();
  const stripes = new Map<string, StripeSimulator>();
  const jiras = new Map<string, JiraSimulator>();
  const notions = new Map<string, NotionSimulator>();
  const almanacs = new Map<string, AlmanacSimulator>();
  let opened = 0;
  const nextId = () => String(++opened);
  const app = new Hono();
  app.onError((error, c) => c.text(String(error.stack ?? error), 500));
  /** Public keys of a host that signs its calls. */
  const keySets = new Map<string, unknown>();
  app.put("/keys/:id", async (c) => {
    keySets.set(c.req.param("id"), await c.req.json());
    return c.json(null);
  });
  app.get("/keys/:id", (c) => c.json(keySets.get(c.req.param("id"))));
  app.post("/worlds", async (c) => {
    const simulator = await startHeldGithub({ seed: "people" });
    const id = nextId();
    worlds.set(id, simulator);
    const { clientId, clientSecret, appSlug } = simulator.world.settings;
    return c.json({
      id,
      webUrl: simulator.webUrl,
      apiUrl: simulator.apiUrl,
      clientId,
      clientSecret,
      appSlug,
    });
  });
  const simulatorOf = (id: string): GithubSimulator => {
    const found = worlds.get(id);
    if (!found) throw new Error(`There is no world ${id}`);
    return found;
  };
  const repositoryOf = (
    id: string,
    externalId: string,
  ): { simulator: GithubSimulator; repository: Repository } => {
    const simulator = simulatorOf(id);
    const repository = simulator.world.state.repositories.find((each) => String(each.id) === externalId);
    if (!repository) throw new Error(`There is no repository ${externalId}`);
    return { simulator, repository };
  };
  app.delete("/worlds/:id", async (c) => {
    await simulatorOf(c.req.param("id")).stop();
    worlds.delete(c.req.param("id"));
    return c.body(null, 204);
  });
  app.get("/worlds/:id/repositories", (c) => {
    const { world } = simulatorOf(c.req.param("id"));
    const living = world.state.repositories.filter((repository) => !repository.isDeleted);
    return c.json(
      living.map((repository) => ({
        externalId: String(repository.id),
        fullName: fullName(repository),
        visibility: repository.visibility,
        description: repository.description,
      })),
    );
  });
  app.post("/worlds/:id/repositories", async (c) => {
    const { world } = simulatorOf(c.req.param("id"));
    const { name, content } = creation.parse(await c.req.json());
    const owner = findAccount(world, OWNER)?.login ?? OWNER;
    const repository = createRepository(world, { owner, name, visibility: "private", topics: ["freight"] });
    await FILLS[content](gitDirectory(world, repository));
    return c.json({ externalId: String(repository.id), fullName: fullName(repository) }, 201);
  });
  app.delete("/worlds/:id/repositories/:repository", (c) => {
    const { simulator, repository } = repositoryOf(c.req.param("id"), c.req.param("repository"));
    deleteRepository(simulator.world, repository);
    return c.body(null, 204);
  });
  app.get("/worlds/:id/repositories/:repository", (c) => {
    const { simulator, repository } = repositoryOf(c.req.param("id"), c.req.param("repository"));
    return c.json(fingerprint(gitDirectory(simulator.world, repository)));
  });
  app.post("/worlds/:id/git", async (c) => {
    const order = gitOrder.parse(await c.req.json());
    const { simulator, repository } = repositoryOf(c.req.param("id"), order.repository);
    return c.json({ output: runGit(gitDirectory(simulator.world, repository), [...NORA, ...order.args]) });
  });
  app.post("/gitlabs", async (c) => {
    const { seed } = z.object({ seed: z.enum(["demo", "people"]) }).parse(await c.req.json());
    const simulator = await startGitlabSimulator({ seed });
    const id = nextId();
    gitlabs.set(id, simulator);
    const { clientId, clientSecret } = simulator.world.settings;
    return c.json({ id, url: simulator.url, clientId, clientSecret });
  });
  app.delete("/gitlabs/:id", async (c) => {
    await gitlabs.get(c.req.param("id"))?.stop();
    gitlabs.delete(c.req.param("id"));
    return c.body(null, 204);
  });
  app.post("/trellos", async (c) => {
    const { seed } = z.object({ seed: z.enum(["demo", "people"]) }).parse(await c.req.json());
    const simulator = await startTrelloSimulator({ seed });
    const id = nextId();
    trellos.set(id, simulator);
    return c.json({ id, url: simulator.url, storageUrl: simulator.storage.url, vars: trelloVars(simulator) });
  });
  app.delete("/trellos/:id", async (c) => {
    await trellos.get(c.req.param("id"))?.stop();
    trellos.delete(c.req.param("id"));
    return c.body(null, 204);
  });
  app.post("/stripes", async (c) => {
    // No HTTP request reaches a product in workerd, so tests take the events and hand them over.
    const simulator = await startStripeSimulator({
      settings: { isHeld: true, webhookUrl: "https://product.example/api/payments/stripe-webhook" },
    });
    const id = nextId();
    stripes.set(id, simulator);
    return c.json({ id, url: simulator.url, vars: stripeVars(simulator) });
  });
  app.delete("/stripes/:id", async (c) => {
    await stripes.get(c.req.param("id"))?.stop();
    stripes.delete(c.req.param("id"));
    return c.body(null, 204);
  });
  app.post("/jiras", async (c) => {
    const { callback } = z.object({ callback: z.string() }).parse(await c.req.json());
    const simulator = await startJiraSimulator({ seed: "people", settings: { callbacks: [callback] } });
    const id = nextId();
    jiras.set(id, simulator);
    return c.json({ id, url: simulator.url, vars: jiraVars(simulator) });
  });
  app.delete("/jiras/:id", async (c) => {
    await jiras.get(c.req.param("id"))?.stop();
    jiras.delete(c.req.param("id"));
    return c.body(null, 204);
  });
  app.post("/notions", async (c) => {
    const { callback, seed } = z
      .object({ callback: z.string(), seed: z.enum(["demo", "people"]) })
      .parse(await c.req.json());
    const simulator = await startNotionSimulator({ seed, settings: { callbacks: [callback] } });
    const id = nextId();
    notions.set(id, simulator);
    return c.json({ id, url: simulator.url, vars: notionVars(simulator) });
  });
  app.delete("/notions/:id", async (c) => {
    await notions.get(c.req.param("id"))?.stop();
    notions.delete(c.req.param("id"));
    return c.body(null, 204);
  });
  app.post("/almanacs", async (c) => {
    const simulator = await startAlmanacSimulator({ seed: "people" });
    const id = nextId();
    almanacs.set(id, simulator);
    return c.json({ id, url: simulator.url, vars: simulator.vars });
  });
  app.delete("/almanacs/:id", async (c) => {
    await almanacs.get(c.req.param("id"))?.stop();
    almanacs.delete(c.req.param("id"));
    return c.body(null, 204);
  });
  const drives = outsideDrives();
  app.route("/", drives.routes);
  app.post("/s3s", async (c) => {
    // Flows move the clock by days, which a real S3 would reject.
    const simulator = await startS3Simulator({ settings: { checksClock: false } });
    const id = nextId();
    s3s.set(id, simulator);
    return c.json({ id, url: simulator.url });
  });
  app.delete("/s3s/:id", async (c) => {
    await s3s.get(c.req.param("id"))?.stop();
    s3s.delete(c.req.param("id"));
    return c.body(null, 204);
  });
  app.post("/identity-providers", async (c) => {
    const { callback } = z.object({ callback: z.string() }).parse(await c.req.json());
    const simulator = await startOidcSimulator({ callbacks: [callback] });
    identityProviders.push(simulator);
    return c.json({ url: simulator.url, vars: signInVars(simulator) });
  });
  const documents = new Map<string, ApiDocument>();
  app.post("/documents", async (c) => {
    const id = nextId();
    const document = await c.req.json();
    documents.set(id, readApiDocument(document));
    return c.json({ id, faults: faultsOfOpenApi(document) }, 201);
  });
  app.post("/documents/:id/answers", async (c) => {
    const document = documents.get(c.req.param("id"));
    if (!document) return c.text("There is no such document.", 404);
    return c.json({ breach: document.breachOf(answerOrder.parse(await c.req.json())) });
  });
  app.get("/runtime-log/length", (c) => c.text(String(runtimeLog.length())));
  app.get("/runtime-log/from/:offset", (c) => c.text(runtimeLog.from(Number(c.req.param("offset")))));
  app.post("/zip", async (c) => c.json(await judgeZip(new Uint8Array(await c.req.arrayBuffer()))));
  app.post("/clone", async (c) =>
    c.json(await cloneFrom(z.object({ url: z.string() }).parse(await c.req.json()).url)),
  );

  return {
    fetch: (request) => app.fetch(request),
    async stop() {
      const running = [
        ...worlds.values(),
        ...gitlabs.values(),
        ...trellos.values(),
        ...stripes.values(),
        ...jiras.values(),
        ...notions.values(),
        ...s3s.values(),
        ...identityProviders,
      ];
      await Promise.all([...running.map((simulator) => simulator.stop()), drives.stop()]);
    },
  };
}

type Content = z.infer<typeof creation>["content"];

const FILLS: Readonly<Record<Content, (folder: string) => Promise<void>>> = {
  empty: async () => {},
  tiny: filledOnce(addTagged),
  sha256: filledOnce(async (folder) => {
    await rm(folder, { recursive: true, force: true });
    runGit(null, ["init", "--quiet", "--bare", "--initial-branch=main", "--object-format=sha256", folder]);
    await addTagged(folder);
  }),
  "many-refs": filledOnce(async (folder) => {
    await addTagged(folder);
    const head = runGit(folder, ["rev-parse", "main"]).trim();
    const lines: string[] = [];
    for (let i = 0; i < 5_000; i++) lines.push(`${head} refs/tags/build/${i}`);
    await writeFile(
      path.join(folder, "packed-refs"),
      `# pack-refs with: peeled fully-peeled sorted \n${lines.sort(byRef).join("\n")}\n`,
    );
  }),
  full: filledOnce(async (folder) => {
    await addCommits(folder, { count: 6 });
    runGit(folder, [...NORA, "tag", "-a", "v1.0", "-m", "First release", "main~1"]);
    runGit(folder, ["branch", "release/1.x", "main~2"]);
    await addCommits(folder, { count: 2, branch: "release/1.x" });
    runGit(folder, ["tag", "v1.1", "main"]);
    runGit(folder, ["tag", "readme", "main:changes/1.md"]);
    runGit(folder, [...NORA, "notes", "add", "-m", "Reviewed", "main"]);
    runGit(folder, ["branch", "from-a-fork", "main~1"]);
    await addCommits(folder, { count: 1, branch: "from-a-fork" });
    runGit(folder, ["update-ref", "refs/pull/7/head", "refs/heads/from-a-fork"]);
    runGit(folder, ["branch", "-D", "from-a-fork"]);
  }),
};

async function addTagged(folder: string): Promise<void> {
  await addCommits(folder, { count: 2 });
  runGit(folder, [...NORA, "tag", "-a", "v1.0", "-m", "First release", "main~1"]);
}

const byRef = (a: string, b: string) => (a.slice(41) < b.slice(41) ? -1 : 1);
