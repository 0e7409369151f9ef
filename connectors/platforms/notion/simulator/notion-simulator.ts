import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { gateway } from "#connectors/toolkit/simulator/gateway.ts";
import { openSeededState, type SeededSimulatorOptions } from "#connectors/toolkit/simulator/seeded-state.ts";
import {
  type SimulatorServer,
  startSimulatorServer,
} from "#connectors/toolkit/simulator/simulator-server.ts";
import { watchAnswers } from "#connectors/toolkit/simulator/watch-answers.ts";
import { apiApp } from "./api.ts";
import { consentRoutes } from "./consent.ts";
import { controlRoutes } from "./control.ts";
import { fileHost } from "./file-host.ts";
import { rateLimitAnswer } from "./rate-limit.ts";
import { seedWorld } from "./seed.ts";
import { CAPABILITIES, emptyState, type NotionSettings, type NotionWorld } from "./state.ts";
import { webPages } from "./web-pages.ts";

/** A running simulated Notion. One base URL serves the web site, the consent page and the API at `/v1`. */
export type NotionSimulator = SimulatorServer & {
  /** The host of files, with its own faults and log. */
  files: SimulatorServer;
  /** The simulator's world, for tests that change it directly. */
  world: NotionWorld;
};

/** Options of a simulated Notion; its host of files uses the next port. */
export type NotionSimulatorOptions = SeededSimulatorOptions<NotionSettings>;

const MEBIBYTE = 1024 ** 2;

/** Default settings; the limits are Notion's. */
export const DEFAULT_NOTION_SETTINGS: NotionSettings = {
  clientId: "1f4d872b-594c-80a1-b2f3-0037c0ffee00",
  clientSecret: "secret_simulated-client-secret",
  callbacks: ["http://localhost/"],
  capabilities: CAPABILITIES,
  requestsPerWindow: 2_700,
  windowMs: 900_000,
  burst: 2_700,
  searchLagMs: 0,
  queryRows: 10_000,
  fileLifetimeMs: 3_600_000,
  uploadLifetimeMs: 3_600_000,
  registeredFor: "any workspace",
  freeBlocks: 1_000,
  freeFileBytes: 5 * MEBIBYTE,
  paidFileBytes: 5 * 1024 * MEBIBYTE,
  partBytes: 20 * MEBIBYTE,
  smallestPartBytes: 5 * MEBIBYTE,
  trashShowsBelow: true,
  markdownBlocks: 20_000,
  taskMs: 0,
};

/** Starts a simulated Notion and its host of files on the loopback interface. */
export async function startNotionSimulator(options: NotionSimulatorOptions = {}): Promise<NotionSimulator> {
  const file = openSeededState(options.directory, emptyState);
  const world: NotionWorld = {
    state: file.state,
    settings: { ...DEFAULT_NOTION_SETTINGS, ...options.settings },
    directory: file.directory,
    ...{ url: "", fileUrl: "", clockOffsetMs: 0, filesExpireAt: 0, windows: new Map(), spoils: [] },
    save: file.save,
    refuse: () => undefined,
  };
  const port = options.port ?? 0;
  const files = await startSimulatorServer(port === 0 ? 0 : port + 1, ({ url }) => {
    world.fileUrl = url;
    const listen = getRequestListener(fileHost(world).fetch);
    return { handle: (request, response) => listen(request, response) };
  });
  const server = await startSimulatorServer(port, async ({ url, log }) => {
    world.url = url;
    world.refuse = (refusal) => log.refuse(refusal);
    await file.seed(["files"], () => seedWorld(world, options.seed ?? "demo"));
    const listen = getRequestListener(webApp(world, options.onAnswer).fetch);
    return {
      handle: (request, response) => listen(request, response),
      control: controlRoutes(world),
      rateLimit: rateLimitAnswer,
    };
  });
  return {
    ...server,
    files,
    world,
    async stop() {
      await Promise.all([server.stop(), files.stop()]);
      file.close();
    },
  };
}

function webApp(world: NotionWorld, onAnswer: NotionSimulatorOptions["onAnswer"]): Hono {
  const app = new Hono();
  app.route("/", consentRoutes(world));
  app.use("/v1/*", watchAnswers("/v1", onAnswer));
  app.use("/v1/*", gateway(world));
  app.route("/v1", apiApp(world));
  app.route("/", webPages(world));
  return app;
}
