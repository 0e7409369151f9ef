import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { openSeededState, type SeededSimulatorOptions } from "#connectors/toolkit/simulator/seeded-state.ts";
import {
  type SimulatorServer,
  startSimulatorServer,
} from "#connectors/toolkit/simulator/simulator-server.ts";
import { watchAnswers } from "#connectors/toolkit/simulator/watch-answers.ts";
import { controlRoutes } from "./control.ts";
import { isGitRequest, serveGit } from "./git.ts";
import { oauthApp } from "./oauth.ts";
import { rateLimitAnswer } from "./rate-limit.ts";
import { restApp } from "./rest/rest-app.ts";
import { seedWorld } from "./seed.ts";
import { emptyState, type GitlabSettings, type GitlabWorld } from "./state.ts";
import { webPages } from "./web-pages.ts";

/** A running simulated GitLab. One base URL (`GITLAB_URL`) serves the web site, OAuth, git and the API. */
export type GitlabSimulator = SimulatorServer & {
  /** The simulator's world, for tests that change it directly. */
  world: GitlabWorld;
};

/** Options of a simulated GitLab. */
export type GitlabSimulatorOptions = SeededSimulatorOptions<GitlabSettings>;

/** Default settings; the limits are those of GitLab.com. */
export const DEFAULT_GITLAB_SETTINGS: GitlabSettings = {
  clientId: "b1946ac92492d2347c6235b4d2611184bd6f8a4a1b5e9c7d0f3e2a1b4c5d6e7f",
  clientSecret: "gloas-simulated-client-secret",
  callbacks: ["http://localhost/"],
  scopes: ["api", "read_api", "read_user", "read_repository", "write_repository"],
  tokenLifetimeMs: 7_200_000,
  rateLimit: 2_000,
  issueLimit: 200,
  noteLimit: 60,
  failedAuthLimit: 300,
  pushLimitBytes: 5 * 1024 ** 3,
  offsetLimit: 50_000,
  countLimit: 10_000,
  jobMs: 200,
  gitRoot: null,
};

/** Starts a simulated GitLab that serves OAuth, REST and git over HTTP on the loopback interface. */
export async function startGitlabSimulator(options: GitlabSimulatorOptions = {}): Promise<GitlabSimulator> {
  const file = openSeededState(options.directory, emptyState);
  const built: { world?: GitlabWorld } = {};
  const server = await startSimulatorServer(options.port ?? 0, async ({ url, log }) => {
    const world: GitlabWorld = {
      state: file.state,
      settings: { ...DEFAULT_GITLAB_SETTINGS, ...options.settings },
      directory: file.directory,
      url,
      save: file.save,
      refuse: (refusal) => log.refuse(refusal),
      windows: new Map(),
    };
    built.world = world;
    await file.seed(["repositories", "snippets"], () => seedWorld(world, options.seed ?? "demo"));
    const listen = getRequestListener(webApp(world, options.onAnswer).fetch);
    return {
      handle: (request, response) =>
        isGitRequest(request.url ?? "") ? serveGit(world, request, response) : listen(request, response),
      control: controlRoutes(world),
      rateLimit: rateLimitAnswer,
    };
  });
  return {
    ...server,
    world: built.world as GitlabWorld,
    async stop() {
      await server.stop();
      file.close();
    },
  };
}

function webApp(world: GitlabWorld, onAnswer: GitlabSimulatorOptions["onAnswer"]): Hono {
  const app = new Hono();
  app.use("/api/v4/*", watchAnswers("/api/v4", onAnswer));
  app.route("/api/v4", restApp(world));
  app.route("/", oauthApp(world));
  app.route("/", webPages(world));
  return app;
}
