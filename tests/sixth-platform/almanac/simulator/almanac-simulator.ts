import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { initialsPicture } from "#connectors/toolkit/simulator/initials-picture.ts";
import { createOauthDesk } from "#connectors/toolkit/simulator/oauth-desk.ts";
import {
  type SimulatorServer,
  startSimulatorServer,
} from "#connectors/toolkit/simulator/simulator-server.ts";
import { openStateFolder } from "#connectors/toolkit/simulator/state-folder.ts";
import { apiApp } from "./api.ts";
import { controlRoutes } from "./control.ts";
import { oauthApp } from "./oauth.ts";
import { rateLimitAnswer } from "./rate-limit.ts";
import { seedWorld } from "./seed.ts";
import { type AlmanacSettings, type AlmanacWorld, emptyState } from "./state.ts";
import { webPages } from "./web-pages.ts";

/** A running simulated Almanac. One base URL serves the web site, the consent page and the API at `/v1`. */
export type AlmanacSimulator = SimulatorServer & {
  world: AlmanacWorld;
  /** The settings that point the product at it. */
  vars: Record<string, string>;
};

/** Options of a simulated Almanac; the defaults suit tests. */
export type AlmanacSimulatorOptions = {
  /** 0 = any free port. */
  port?: number;
  /** Folder that keeps state and files across restarts; default = a temporary folder. */
  directory?: string;
  /** What the first start creates: `people` = people and their sites; `demo` = also books with content. */
  seed?: "demo" | "people";
  settings?: Partial<AlmanacSettings>;
};

const DEFAULT_SETTINGS: AlmanacSettings = {
  clientId: "almanac-holdfast",
  clientSecret: "als_simulated-client-secret",
  callbacks: ["http://localhost/"],
  tokenLifetimeMs: 3_600_000,
  requestLimit: 600,
  uploadLimit: 120,
  windowMs: 60_000,
  fileBytes: 20 * 1024 ** 2,
};

/** Starts a simulated Almanac on the loopback interface. */
export async function startAlmanacSimulator(
  options: AlmanacSimulatorOptions = {},
): Promise<AlmanacSimulator> {
  let isFresh = false;
  const file = openStateFolder(options.directory, () => {
    isFresh = true;
    return emptyState();
  });
  const world: AlmanacWorld = {
    state: file.state,
    settings: { ...DEFAULT_SETTINGS, ...options.settings },
    directory: file.directory,
    url: "",
    windows: new Map(),
    save: file.save,
    refuse: () => undefined,
  };
  if (isFresh) seedWorld(world, options.seed ?? "demo");
  file.save();
  file.flush();
  const server = await startSimulatorServer(options.port ?? 0, ({ url, log }) => {
    world.url = url;
    world.refuse = (refusal) => log.refuse(refusal);
    const { settings, state, save } = world;
    const prefixes = { code: "alc_", access: "ala_", refresh: "alr_" };
    const desk = createOauthDesk({ state: state.oauth, application: settings, prefixes, save });
    const app = new Hono();
    app.get("/avatars/:name", (c) =>
      c.body(initialsPicture(c.req.param("name")), 200, { "Content-Type": "image/svg+xml" }),
    );
    app.route("/v1", apiApp(world, desk));
    app.route("/", oauthApp(world, desk));
    app.route("/", webPages(world));
    const listen = getRequestListener(app.fetch);
    return {
      handle: (request, response) => listen(request, response),
      control: controlRoutes(world, desk),
      rateLimit: rateLimitAnswer,
    };
  });
  const vars = {
    ALMANAC_URL: server.url,
    ALMANAC_CLIENT_ID: world.settings.clientId,
    ALMANAC_CLIENT_SECRET: world.settings.clientSecret,
  };
  return {
    ...server,
    ...{ world, vars },
    async stop() {
      await server.stop();
      file.close();
    },
  };
}
