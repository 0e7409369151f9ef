import { rmSync } from "node:fs";
import path from "node:path";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import {
  type SimulatorServer,
  startSimulatorServer,
} from "#connectors/toolkit/simulator/simulator-server.ts";
import { openStateFolder, type StateFolder } from "#connectors/toolkit/simulator/state-folder.ts";
import { controlRoutes } from "./control.ts";
import { isGitRequest, serveGit } from "./git.ts";
import { oauthApp } from "./oauth.ts";
import { rateLimitAnswer } from "./rate-limit.ts";
import { restApp } from "./rest/rest-app.ts";
import { seedWorld } from "./seed.ts";
import { emptyState, type GitlabSettings, type GitlabState, type GitlabWorld } from "./state.ts";
import { webPages } from "./web-pages.ts";

/** A running simulated GitLab. One base URL (`GITLAB_URL`) serves the web site, OAuth, git and the API. */
export type GitlabSimulator = SimulatorServer & {
  /** The simulator's world, for tests that change it directly. */
  world: GitlabWorld;
};

/** One exchange with the REST API, for contract checks. */
export type AnsweredExchange = { method: string; url: string; status: number; body: unknown };

/** Options of a simulated GitLab; the defaults suit tests. */
export type GitlabSimulatorOptions = {
  /** 0 = any free port. */
  port?: number;
  /** Folder that keeps state and repositories across restarts; default = a temporary folder. */
  directory?: string;
  /** What the first start creates: `people` = people and groups; `demo` = also projects with content. */
  seed?: "demo" | "people";
  settings?: Partial<GitlabSettings>;
  /** Called with every response of the REST API. */
  onAnswer?: (exchange: AnsweredExchange) => void;
};

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
  let isFresh = false;
  const file: StateFolder<GitlabState> = openStateFolder(options.directory, () => {
    isFresh = true;
    return emptyState();
  });
  const built: { world?: GitlabWorld } = {};
  const server = await startSimulatorServer(options.port ?? 0, async ({ url, log }) => {
    const world: GitlabWorld = {
      state: file.state,
      settings: { ...DEFAULT_GITLAB_SETTINGS, ...options.settings },
      directory: file.directory,
      url,
      // An interrupted first start must not leave a partial world behind, so nothing is saved yet.
      save: isFresh ? () => undefined : file.save,
      refuse: (refusal) => log.refuse(refusal),
      windows: new Map(),
    };
    built.world = world;
    if (isFresh) {
      for (const folder of ["repositories", "snippets"]) {
        rmSync(path.join(file.directory, folder), { recursive: true, force: true });
      }
      await seedWorld(world, options.seed ?? "demo");
      world.save = file.save;
      file.save();
      file.flush();
    }
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
  if (onAnswer) {
    app.use("/api/v4/*", async (c, next) => {
      await next();
      const text = await c.res.clone().text();
      const isJson = c.res.headers.get("content-type")?.includes("json") === true;
      const url = c.req.url.slice(c.req.url.indexOf("/api/v4") + "/api/v4".length);
      onAnswer({ method: c.req.method, url, status: c.res.status, body: isJson ? JSON.parse(text) : null });
    });
  }
  app.route("/api/v4", restApp(world));
  app.route("/", oauthApp(world));
  app.route("/", webPages(world));
  return app;
}
