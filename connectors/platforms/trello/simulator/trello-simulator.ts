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
import { oauthApp } from "./oauth.ts";
import { rateLimitAnswer } from "./rate-limit.ts";
import { restApp } from "./rest/rest-app.ts";
import { seedWorld } from "./seed.ts";
import { emptyState, type TrelloSettings, type TrelloWorld } from "./state.ts";
import { storageHost } from "./storage-host.ts";
import { indexOf } from "./store.ts";
import { tokenPages } from "./token-page.ts";
import { webPages } from "./web-pages.ts";

/** A running simulated Trello. One base URL serves the web site, both sign-ins and the API at `/1`. */
export type TrelloSimulator = SimulatorServer & {
  /** The storage host of attachments, with its own faults and log. */
  storage: SimulatorServer;
  /** The simulator's world, for tests that change it directly. */
  world: TrelloWorld;
};

/** Options of a simulated Trello; its storage host uses the next port. */
export type TrelloSimulatorOptions = SeededSimulatorOptions<TrelloSettings>;

const MEBIBYTE = 1024 ** 2;

/** Default settings; the limits are Trello's. */
export const DEFAULT_TRELLO_SETTINGS: TrelloSettings = {
  apiKey: "7f3c9a5be1d24806b7c1f0a2d93e4b58",
  clientId: "T4xQ9vLm2RkZ7bNcW1sYdH6pGfJ0aEuo",
  clientSecret: "ATOA-simulated-client-secret",
  callbacks: ["http://localhost/"],
  tokenLifetimeMs: 3_600_000,
  keyLimit: 300,
  tokenLimit: 100,
  memberLimit: 100,
  memberRequestLimit: 375,
  blockAfterRefusals: 200,
  windowMs: 10_000,
  memberWindowMs: 900_000,
  plainCardLimit: 1_000_000,
  nestedCardLimit: 1_000_000,
  actionCardLimit: 1_000,
  freeAttachmentBytes: 10 * MEBIBYTE,
  paidAttachmentBytes: 250 * MEBIBYTE,
  freeBoardLimit: 10,
  openCardLimit: 5_000,
  openListLimit: 500,
  labelLimit: 1_000,
  customFieldLimit: 50,
  optionLimit: 50,
  checklistLimit: 500,
  checkItemLimit: 200,
  attachmentLimit: 1_000,
  stickerLimit: 70,
  storageLifetimeMs: 60_000,
};

/** Starts a simulated Trello that serves OAuth 2.0, the older token page and REST on the loopback interface. */
export async function startTrelloSimulator(options: TrelloSimulatorOptions = {}): Promise<TrelloSimulator> {
  const file = openSeededState(options.directory, emptyState);
  const world: TrelloWorld = {
    state: file.state,
    settings: { ...DEFAULT_TRELLO_SETTINGS, ...options.settings },
    directory: file.directory,
    url: "",
    storageUrl: "",
    index: indexOf(file.state),
    windows: new Map(),
    spoils: [],
    save: file.save,
    refuse: () => undefined,
  };
  const port = options.port ?? 0;
  const storage = await startSimulatorServer(port === 0 ? 0 : port + 1, ({ url }) => {
    world.storageUrl = url;
    const listen = getRequestListener(storageHost(world).fetch);
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
    storage,
    world,
    async stop() {
      await Promise.all([server.stop(), storage.stop()]);
      file.close();
    },
  };
}

function webApp(world: TrelloWorld, onAnswer: TrelloSimulatorOptions["onAnswer"]): Hono {
  const app = new Hono();
  app.route("/", tokenPages(world));
  app.use("/1/*", watchAnswers("/1", onAnswer));
  app.use("/1/*", gateway(world));
  app.route("/1", restApp(world));
  app.route("/", oauthApp(world));
  app.route("/", webPages(world));
  return app;
}
