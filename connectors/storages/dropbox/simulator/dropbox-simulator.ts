import { Hono } from "hono";
import { emptyOauthState } from "#connectors/toolkit/simulator/oauth-desk.ts";
import type { SimulatorServer } from "#connectors/toolkit/simulator/simulator-server.ts";
import { type StorageSiteOptions, startStorageSite } from "#connectors/toolkit/simulator/storage-site.ts";
import { apiApp } from "./api-app.ts";
import { controlRoutes } from "./control.ts";
import { consentRoutes, tokenRoutes } from "./oauth.ts";
import { rateLimitAnswer } from "./rate-limit.ts";
import type { DropboxPerson, DropboxSettings, DropboxState, DropboxWorld } from "./state.ts";
import { webPages } from "./web-pages.ts";

/** A running simulated Dropbox. Its three hosts share one origin. */
export type DropboxSimulator = SimulatorServer & {
  /** `DROPBOX_URL`: the website with the consent page. */
  webUrl: string;
  /** `DROPBOX_API_URL`. */
  apiUrl: string;
  /** `DROPBOX_CONTENT_URL`: receives bytes. */
  contentUrl: string;
  /** The state, for tests that change it directly. */
  world: DropboxWorld;
};

/** An API call and its response, for contract checks. `arg` is null if the call has none. */
export type AnsweredCall = { host: string; path: string; arg: unknown; status: number; body: unknown };

/** Options of a simulated Dropbox. The defaults suit tests. */
export type DropboxSimulatorOptions = StorageSiteOptions<DropboxSettings> & {
  /** Receives every API response. */
  onAnswer?: (call: AnsweredCall) => void;
};

const GIBIBYTE = 1024 ** 3;

/** Default settings, with Dropbox's real limits. */
export const DEFAULT_DROPBOX_SETTINGS: DropboxSettings = {
  clientId: "h0ldf4stappkey0",
  clientSecret: "simulated-dropbox-secret",
  callbacks: ["http://localhost/"],
  scopes: [
    "account_info.read",
    "files.metadata.read",
    "files.metadata.write",
    "files.content.read",
    "files.content.write",
  ],
  tokenLifetimeMs: 14_400_000,
  sessionLifetimeMs: 7 * 86_400_000,
  mostRequestBytes: 150 * 1024 ** 2,
  mostFileBytes: 350 * GIBIBYTE,
};

/** Starts a simulated Dropbox with OAuth and its API on the loopback interface. */
export async function startDropboxSimulator(
  options: DropboxSimulatorOptions = {},
): Promise<DropboxSimulator> {
  const prefixes = { code: "", access: "sl.u.", refresh: "" };
  const site = await startStorageSite({
    ...{ options, settings: DEFAULT_DROPBOX_SETTINGS, prefixes, emptyState },
    worldOf: (base): DropboxWorld => base,
    web: (world) => webApp(world, options.onAnswer),
    control: controlRoutes,
    rateLimit: rateLimitAnswer,
  });
  return {
    ...site,
    webUrl: site.url,
    apiUrl: `${site.url}/api`,
    contentUrl: `${site.url}/content`,
  };
}

function webApp(world: DropboxWorld, onAnswer: DropboxSimulatorOptions["onAnswer"]): Hono {
  const app = new Hono();
  if (onAnswer) {
    app.use("/:host{api|content}/2/*", async (c, next) => {
      await next();
      const isJson = c.res.headers.get("content-type")?.includes("json") === true;
      // Responses that carry bytes return the result in a header.
      const result = c.res.headers.get("dropbox-api-result");
      const text = result ?? (isJson ? await c.res.clone().text() : "null");
      const { status } = c.res;
      const header = c.req.header("dropbox-api-arg");
      const host = c.req.path.split("/")[1] ?? "";
      // The route has already read the body on the host `api`; Hono has cached it.
      const arg = host === "content" ? (header ?? "") : await c.req.text();
      const isArg = arg !== "" && (header !== undefined || host === "api");
      onAnswer({
        host,
        path: c.req.path.slice(host.length + 1),
        arg: isArg ? JSON.parse(arg) : null,
        status,
        body: JSON.parse(text),
      });
    });
  }
  app.route("/api", tokenRoutes(world));
  app.route("/api", apiApp(world, "api"));
  app.route("/content", apiApp(world, "content"));
  app.route("/", consentRoutes(world));
  app.route("/", webPages(world));
  return app;
}

function emptyState(): DropboxState {
  return {
    nextId: 1,
    people: [
      person("nora-lindqvist", "Nora", "Lindqvist", 100 * GIBIBYTE),
      person("ivo-petrov", "Ivo", "Petrov", 2 * GIBIBYTE),
    ],
    entries: [],
    sessions: [],
    listings: [],
    oauth: emptyOauthState(),
  };
}

function person(login: string, givenName: string, surname: string, allocatedBytes: number): DropboxPerson {
  const id = `dbid:${`AAH4f99T0taONIb-OurWxbNQ6ywGRopQngc${login}`.slice(-35)}`;
  const email = `${givenName.toLowerCase()}@meridian.example`;
  return { id, login, givenName, surname, email, allocatedBytes, usedElsewhereBytes: 0 };
}
