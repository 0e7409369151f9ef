import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { openSeededState, type SeededSimulatorOptions } from "#connectors/toolkit/simulator/seeded-state.ts";
import {
  type SimulatorServer,
  startSimulatorServer,
} from "#connectors/toolkit/simulator/simulator-server.ts";
import { watchAnswers } from "#connectors/toolkit/simulator/watch-answers.ts";
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
import { emptyState, type GithubSettings, type GithubWorld } from "./state.ts";
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

/** Options of a simulated GitHub. */
export type GithubSimulatorOptions = SeededSimulatorOptions<GithubSettings>;

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
  fileLimitBytes: 100 * 1024 ** 2,
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
  const file = openSeededState(options.directory, emptyState);
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
      save: file.save,
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
    await file.seed(["repositories", "records", "assets", "gists"], async () => {
      await seedDemo(world, options.seed ?? "demo");
      world.records.flush();
    });
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
  for (const prefix of ["/api", "/uploads"]) app.use(`${prefix}/*`, watchAnswers(prefix, onAnswer));
  app.route("/api", restApp(world));
  app.route("/uploads", uploadApp(world));
  app.route("/storage", storageRoutes(world));
  app.route("/", oauthApp(world));
  app.route("/", attachmentPages(world));
  app.route("/", webPages(world));
  return app;
}
