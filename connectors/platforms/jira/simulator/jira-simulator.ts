import { randomBytes } from "node:crypto";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { gateway } from "#connectors/toolkit/simulator/gateway.ts";
import { openSeededState, type SeededSimulatorOptions } from "#connectors/toolkit/simulator/seeded-state.ts";
import {
  type SimulatorServer,
  startSimulatorServer,
} from "#connectors/toolkit/simulator/simulator-server.ts";
import { watchAnswers } from "#connectors/toolkit/simulator/watch-answers.ts";
import { controlRoutes } from "./control.ts";
import { rateLimitAnswer } from "./limits.ts";
import { mediaHost } from "./media-host.ts";
import { oauthApp } from "./oauth.ts";
import { reportApp } from "./report-accounts.ts";
import { restApp } from "./rest/rest-app.ts";
import { seedWorld } from "./seed.ts";
import type { JiraSettings, JiraState, JiraWorld } from "./state.ts";
import { webPages } from "./web-pages.ts";

/** A running simulated Atlassian cloud. One base URL serves the sign-in, the API of all sites and their web pages. */
export type JiraSimulator = SimulatorServer & {
  /** The host of attachments, with its own faults and log. */
  media: SimulatorServer;
  /** The simulator's world, for tests that change it directly. */
  world: JiraWorld;
};

/** Options of a simulated Jira; its media host uses the next port. */
export type JiraSimulatorOptions = SeededSimulatorOptions<JiraSettings>;

/** Default settings; the limits are Jira's. */
export const DEFAULT_JIRA_SETTINGS: JiraSettings = {
  clientId: "Jq7Rk2vXnT9sLw4ZbYc1HdPeUgAo5iMf",
  clientSecret: "ATOA-simulated-jira-secret",
  callbacks: ["http://localhost/"],
  tokenLifetimeMs: 3_600_000,
  refreshLifetimeMs: 90 * 86_400_000,
  globalPoints: 65_000,
  tenantPoints: null,
  burstRead: 100,
  burstWrite: 50,
  issueWritesShort: 20,
  issueWritesLong: 100,
  indexLagMs: 0,
  bulkTaskMs: 200,
  attachmentBytes: 1024 ** 3,
  mediaLifetimeMs: 60_000,
  reportCycleDays: 7,
};

/** Starts a simulated Jira on the loopback interface. */
export async function startJiraSimulator(options: JiraSimulatorOptions = {}): Promise<JiraSimulator> {
  const file = openSeededState(options.directory, emptyState);
  const world: JiraWorld = {
    state: file.state,
    settings: { ...DEFAULT_JIRA_SETTINGS, ...options.settings },
    directory: file.directory,
    url: "",
    mediaUrl: "",
    indexes: new Map(),
    ledger: { windows: new Map() },
    spoils: [],
    save: file.save,
    refuse: () => undefined,
  };
  const port = options.port ?? 0;
  const media = await startSimulatorServer(port === 0 ? 0 : port + 1, ({ url }) => {
    world.mediaUrl = url;
    const listen = getRequestListener(mediaHost(world).fetch);
    return { handle: (request, response) => listen(request, response) };
  });
  const server = await startSimulatorServer(port, async ({ url, log }) => {
    world.url = url;
    world.refuse = (refusal) => log.refuse(refusal);
    await file.seed(["attachments"], () => seedWorld(world, options.seed ?? "demo"));
    const listen = getRequestListener(webApp(world, options.onAnswer).fetch);
    return {
      handle: (request, response) => listen(request, response),
      control: controlRoutes(world),
      rateLimit: rateLimitAnswer,
    };
  });
  return {
    ...server,
    media,
    world,
    async stop() {
      await Promise.all([server.stop(), media.stop()]);
      file.close();
    },
  };
}

function emptyState(): JiraState {
  const secret = randomBytes(16).toString("hex");
  return { people: [], sites: [], codes: [], tokens: [], apiTokens: [], secret };
}

function webApp(world: JiraWorld, onAnswer: JiraSimulatorOptions["onAnswer"]): Hono {
  const app = new Hono();
  app.use("/ex/jira/*", watchAnswers("/ex/jira", onAnswer));
  app.use("/ex/jira/*", gateway(world));
  app.route("/ex/jira/:site", restApp(world, "gateway"));
  app.use("/sites/:site/rest/*", gateway(world));
  app.route("/sites/:site", restApp(world, "site"));
  app.use("/app/*", gateway(world));
  app.route("/", reportApp(world));
  app.route("/", oauthApp(world));
  app.route("/", webPages(world));
  return app;
}
