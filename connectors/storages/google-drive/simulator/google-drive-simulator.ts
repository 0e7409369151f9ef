import { Hono } from "hono";
import { emptyOauthState } from "#connectors/toolkit/simulator/oauth-desk.ts";
import type { SimulatorServer } from "#connectors/toolkit/simulator/simulator-server.ts";
import { type StorageSiteOptions, startStorageSite } from "#connectors/toolkit/simulator/storage-site.ts";
import { type AnsweredExchange, watchAnswers } from "#connectors/toolkit/simulator/watch-answers.ts";
import { apiApp } from "./api-app.ts";
import { controlRoutes } from "./control.ts";
import { consentRoutes, tokenRoutes } from "./oauth.ts";
import { rateLimitAnswer } from "./rate-limit.ts";
import {
  type DrivePerson,
  type DriveSettings,
  type DriveState,
  type DriveWorld,
  FILE_SCOPE,
} from "./state.ts";
import { webPages } from "./web-pages.ts";

/** A running simulated Google Drive. Its three hosts share one origin. */
export type GoogleDriveSimulator = SimulatorServer & {
  /** `GOOGLE_DRIVE_WEB_URL`: the website with the consent page. */
  webUrl: string;
  /** `GOOGLE_DRIVE_TOKEN_URL`: exchanges tokens. */
  tokenUrl: string;
  /** `GOOGLE_DRIVE_API_URL`. */
  apiUrl: string;
  /** The state, for tests that change it directly. */
  world: DriveWorld;
};

/** How a simulated Google Drive is started; everything has a default fit for tests. */
export type GoogleDriveSimulatorOptions = StorageSiteOptions<DriveSettings> & {
  /** Receives every API response. */
  onAnswer?: (exchange: AnsweredExchange) => void;
};

const GIBIBYTE = 1024 ** 3;

/** Default settings, with Google's real limits. */
export const DEFAULT_GOOGLE_DRIVE_SETTINGS: DriveSettings = {
  clientId: "100200300400-simulated.apps.googleusercontent.com",
  clientSecret: "GOCSPX-simulated-client-secret",
  callbacks: ["http://localhost/"],
  scopes: [FILE_SCOPE],
  tokenLifetimeMs: 3_600_000,
  sessionLifetimeMs: 7 * 86_400_000,
};

/** Starts a simulated Google Drive with OAuth and its API on the loopback interface. */
export async function startGoogleDriveSimulator(
  options: GoogleDriveSimulatorOptions = {},
): Promise<GoogleDriveSimulator> {
  const prefixes = { code: "4/0A", access: "ya29.a0", refresh: "1//0" };
  const site = await startStorageSite({
    ...{ options, settings: DEFAULT_GOOGLE_DRIVE_SETTINGS, prefixes, emptyState },
    worldOf: (base): DriveWorld => ({ ...base, breakage: null }),
    web: (world) => webApp(world, options.onAnswer),
    control: controlRoutes,
    rateLimit: rateLimitAnswer,
  });
  return {
    ...site,
    webUrl: site.url,
    tokenUrl: `${site.url}/oauth`,
    apiUrl: `${site.url}/api`,
  };
}

function webApp(world: DriveWorld, onAnswer: GoogleDriveSimulatorOptions["onAnswer"]): Hono {
  const app = new Hono();
  app.use("/api/*", watchAnswers("/api", onAnswer));
  app.route("/oauth", tokenRoutes(world));
  app.route("/api", apiApp(world));
  app.route("/", consentRoutes(world));
  app.route("/", webPages(world));
  return app;
}

function emptyState(): DriveState {
  return {
    nextId: 1,
    people: [
      person("nora-lindqvist", "Nora Lindqvist", "104729104729104729", 100 * GIBIBYTE),
      person("ivo-petrov", "Ivo Petrov", "130363130363130363", 15 * GIBIBYTE),
    ],
    files: [],
    sessions: [],
    reservedIds: [],
    oauth: emptyOauthState(),
  };
}

function person(login: string, name: string, id: string, limitBytes: number): DrivePerson {
  const email = `${login.split("-")[0]}@meridian.example`;
  return { id, login, name, email, rootId: `0A${id.slice(0, 15)}Uk9PVA`, limitBytes, usedElsewhereBytes: 0 };
}
