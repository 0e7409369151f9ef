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
import { gateway } from "./gateway.ts";
import { oauthApp } from "./oauth.ts";
import { rateLimitAnswer } from "./rate-limit.ts";
import { restApp } from "./rest/rest-app.ts";
import { seedWorld } from "./seed.ts";
import { emptyState, type TrelloSettings, type TrelloState, type TrelloWorld } from "./state.ts";
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

/** One exchange with the API, for contract checks. */
export type AnsweredExchange = { method: string; url: string; status: number; body: unknown };

/** Options of a simulated Trello; the defaults suit tests. */
export type TrelloSimulatorOptions = {
  /** 0 = any free port; otherwise the storage host uses the next port. */
  port?: number;
  /** Folder that keeps state and files across restarts; default = a temporary folder. */
  directory?: string;
  /** What the first start creates: `people` = members and workspaces; `demo` = also boards with content. */
  seed?: "demo" | "people";
  settings?: Partial<TrelloSettings>;
  /** Called with every response of the API. */
  onAnswer?: (exchange: AnsweredExchange) => void;
};

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
  let isFresh = false;
  const file: StateFolder<TrelloState> = openStateFolder(options.directory, () => {
    isFresh = true;
    return emptyState();
  });
  const world: TrelloWorld = {
    state: file.state,
    settings: { ...DEFAULT_TRELLO_SETTINGS, ...options.settings },
    directory: file.directory,
    url: "",
    storageUrl: "",
    index: indexOf(file.state),
    windows: new Map(),
    spoils: [],
    // An interrupted first start must not leave a partial world behind, so nothing is saved yet.
    save: isFresh ? () => undefined : file.save,
    refuse: () => undefined,
  };
  const port = options.port ?? 0;
  const storage = await startSimulatorServer(port === 0 ? 0 : port + 1, ({ url }) => {
    world.storageUrl = url;
    const listen = getRequestListener(storageHost(world).fetch);
    return { handle: (request, response) => listen(request, response) };
  });
  const server = await startSimulatorServer(port, ({ url, log }) => {
    world.url = url;
    world.refuse = (refusal) => log.refuse(refusal);
    if (isFresh) {
      rmSync(path.join(file.directory, "attachments"), { recursive: true, force: true });
      seedWorld(world, options.seed ?? "demo");
      world.save = file.save;
      file.save();
      file.flush();
    }
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
  if (onAnswer) {
    app.use("/1/*", async (c, next) => {
      await next();
      const text = await c.res.clone().text();
      const isJson = c.res.headers.get("content-type")?.includes("json") === true;
      const url = c.req.url.slice(c.req.url.indexOf("/1/") + "/1".length);
      onAnswer({ method: c.req.method, url, status: c.res.status, body: isJson ? JSON.parse(text) : null });
    });
  }
  app.use("/1/*", gateway(world));
  app.route("/1", restApp(world));
  app.route("/", oauthApp(world));
  app.route("/", webPages(world));
  return app;
}
