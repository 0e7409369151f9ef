import { rmSync } from "node:fs";
import path from "node:path";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import {
  type SimulatorServer,
  startSimulatorServer,
} from "#connectors/toolkit/simulator/simulator-server.ts";
import { openStateFolder, type StateFolder } from "#connectors/toolkit/simulator/state-folder.ts";
import { storageRoutes } from "./asset-files.ts";
import { attachmentPages } from "./attachments.ts";
import { controlRoutes } from "./control.ts";
import { isGistRequest, serveGist } from "./gist-git.ts";
import { isGitRequest, serveGit } from "./git.ts";
import { oauthApp } from "./oauth.ts";
import { rateLimitAnswer } from "./rate-limit.ts";
import { openRecordFiles } from "./record-files.ts";
import { restApp, uploadApp } from "./rest/rest-app.ts";
import { seedDemo } from "./seed.ts";
import { emptyState, type GithubSettings, type GithubState, type GithubWorld } from "./state.ts";
import { webPages } from "./web-pages.ts";

/** A running GitHub simulator. */
export type GithubSimulator = SimulatorServer & {
  /** Base of the web site, the OAuth flow and git: `GITHUB_WEB_URL`. */
  webUrl: string;
  /** Base of the REST API: `GITHUB_API_URL`. */
  apiUrl: string;
  /** The state itself, for tests that change it directly. */
  world: GithubWorld;
};

/** One answer of the REST API, for a contract check. */
export type AnsweredExchange = { method: string; url: string; status: number; body: unknown };

/** Options of a simulated GitHub. The defaults suit tests. */
export type GithubSimulatorOptions = {
  /** 0 = any free port. */
  port?: number;
  /** Keeps state and repositories across restarts. Without it, they are in a temporary folder. */
  directory?: string;
  /** `demo` creates people, an organisation and repositories with history on the first start. */
  seed?: "demo" | "people";
  settings?: Partial<GithubSettings>;
  /** Called with every answer of the REST API. */
  onAnswer?: (exchange: AnsweredExchange) => void;
};

/** Default settings of a simulator. */
export const DEFAULT_GITHUB_SETTINGS: GithubSettings = {
  clientId: "Iv23liHoldfastSimulat",
  clientSecret: "simulated-client-secret",
  appId: 424_242,
  appSlug: "holdfast-simulated",
  appPublicKey: null,
  callbacks: ["http://localhost/"],
  tokenLifetimeMs: 8 * 3_600_000,
  rateLimit: 5_000,
  pushLimitBytes: 2 * 1024 ** 3,
  canWriteWorkflows: true,
  permissions: {
    metadata: "read",
    contents: "write",
    administration: "write",
    actions: "write",
    actions_variables: "read",
    members: "read",
    issues: "write",
    pull_requests: "write",
    discussions: "write",
    repository_hooks: "write",
    secrets: "read",
    dependabot_secrets: "read",
    environments: "write",
    organization_projects: "write",
    gists: "write",
  },
  contentPerMinute: 80,
  contentPerHour: 500,
  maxConcurrent: 100,
  graphqlLimit: 5_000,
  offersImportToApps: false,
  importMs: 200,
  mostBytesInTime: Number.POSITIVE_INFINITY,
  hiddenNodes: [],
  brokenFields: [],
  downloadMs: 300_000,
  gitRoot: null,
  checkRequest: null,
};

/** Starts a GitHub that serves OAuth, REST and git over HTTP on the loopback interface. */
export async function startGithubSimulator(options: GithubSimulatorOptions = {}): Promise<GithubSimulator> {
  let isFresh = false;
  const file: StateFolder<GithubState> = openStateFolder(options.directory, () => {
    isFresh = true;
    return emptyState();
  });
  const built: { world?: GithubWorld } = {};
  const server = await startSimulatorServer(options.port ?? 0, async ({ url, log }) => {
    const world: GithubWorld = {
      state: file.state,
      settings: { ...DEFAULT_GITHUB_SETTINGS, ...options.settings },
      directory: file.directory,
      webUrl: url,
      apiUrl: `${url}/api`,
      uploadUrl: `${url}/uploads`,
      // The same server under another name, so that clients see an origin other than the API's.
      storageUrl: `${url.replace("127.0.0.1", "localhost")}/storage`,
      records: openRecordFiles(file.directory),
      // An interrupted start must not leave state that a later start would treat as complete.
      save: isFresh ? () => undefined : file.save,
      refuse: (refusal) => log.refuse(refusal),
      rate: new Map(),
      creations: new Map(),
      running: new Map(),
      needed: new Set(),
      mergeability: new Set(),
      downloads: new Map(),
    };
    // State written before gists and attached files existed.
    file.state.gists ??= [];
    file.state.attachments ??= [];
    built.world = world;
    if (isFresh) {
      for (const folder of ["repositories", "records", "assets", "gists"]) {
        rmSync(path.join(file.directory, folder), { recursive: true, force: true });
      }
      await seedDemo(world, options.seed ?? "demo");
      world.save = file.save;
      file.save();
      world.records.flush();
      file.flush();
    }
    const listen = getRequestListener(webApp(world, options.onAnswer).fetch);
    return {
      handle: (request, response) => {
        if (isGistRequest(request.url ?? "")) return serveGist(world, request, response);
        return isGitRequest(request.url ?? "")
          ? serveGit(world, request, response)
          : listen(request, response);
      },
      control: controlRoutes(world),
      rateLimit: rateLimitAnswer,
    };
  });
  const world = built.world as GithubWorld;
  return {
    ...server,
    webUrl: world.webUrl,
    apiUrl: world.apiUrl,
    world,
    async stop() {
      await server.stop();
      world.records.flush();
      file.close();
    },
  };
}

function webApp(world: GithubWorld, onAnswer: GithubSimulatorOptions["onAnswer"]): Hono {
  const app = new Hono();
  for (const prefix of ["/api", "/uploads"]) {
    if (!onAnswer) break;
    app.use(`${prefix}/*`, async (c, next) => {
      await next();
      const text = await c.res.clone().text();
      const isJson = c.res.headers.get("content-type")?.includes("json") === true;
      const url = c.req.url.slice(c.req.url.indexOf(prefix) + prefix.length);
      onAnswer({ method: c.req.method, url, status: c.res.status, body: isJson ? JSON.parse(text) : null });
    });
  }
  app.route("/api", restApp(world));
  app.route("/uploads", uploadApp(world));
  app.route("/storage", storageRoutes(world));
  app.route("/", oauthApp(world));
  app.route("/", attachmentPages(world));
  app.route("/", webPages(world));
  return app;
}
