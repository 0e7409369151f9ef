import { mkdirSync } from "node:fs";
import path from "node:path";
import { getRequestListener } from "@hono/node-server";
import type { Context, Hono } from "hono";
import { createOauthDesk, type OauthApplication, type OauthDesk, type OauthState } from "./oauth-desk.ts";
import type { RequestLog } from "./request-log.ts";
import { type SimulatedPlatform, type SimulatorServer, startSimulatorServer } from "./simulator-server.ts";
import { openStateFolder } from "./state-folder.ts";

/** A person with an account at a simulated storage. */
type Person = { id: string; login: string; email: string };

/** What every part of any simulated storage works with. */
export type StorageSiteWorld<State, Settings> = {
  state: State;
  settings: Settings;
  desk: OauthDesk;
  /** Holds the folders `files` and `sessions`. */
  directory: string;
  url: string;
  save(): void;
  refuse: RequestLog["refuse"];
};

/** Options of a simulated storage. The defaults suit tests. */
export type StorageSiteOptions<Settings> = {
  /** 0 = any free port. */
  port?: number;
  /** Keeps state and files across restarts. Without it they are in a temporary folder. */
  directory?: string;
  settings?: Partial<Settings>;
};

/** Starts a storage with a consent page: its state, its OAuth desk, and a server in front of its pages and its API. */
export async function startStorageSite<
  State extends { oauth: OauthState },
  Settings extends OauthApplication,
  World,
>(site: {
  options: StorageSiteOptions<Settings>;
  settings: Settings;
  /** What the tokens of the site begin with. */
  prefixes: { code: string; access: string; refresh: string };
  emptyState: () => State;
  worldOf: (base: StorageSiteWorld<State, Settings>) => World;
  web: (world: World) => Hono;
  control: (world: World) => Hono;
  rateLimit: SimulatedPlatform["rateLimit"];
}): Promise<SimulatorServer & { world: World }> {
  const { options, prefixes } = site;
  const file = openStateFolder<State>(options.directory, site.emptyState);
  const settings = { ...site.settings, ...options.settings };
  const { state, save, directory } = file;
  for (const folder of ["files", "sessions"]) mkdirSync(path.join(directory, folder), { recursive: true });
  const desk = createOauthDesk({ state: state.oauth, application: settings, prefixes, save });
  const built: { world?: World } = {};
  const server = await startSimulatorServer(options.port ?? 0, ({ url, log }) => {
    const base = { state, settings, desk, directory, url, save, refuse: log.refuse };
    const world = site.worldOf(base);
    built.world = world;
    const handle = getRequestListener(site.web(world).fetch);
    return { handle, control: site.control(world), rateLimit: site.rateLimit };
  });
  return {
    ...server,
    world: built.world as World,
    async stop() {
      await server.stop();
      file.close();
    },
  };
}

/** Finds a person by login, e-mail address or account id, or null. */
export function findPerson<P extends Person>(state: { people: readonly P[] }, key: string): P | null {
  return state.people.find(({ id, login, email }) => [id, login, email].includes(key)) ?? null;
}

/** @throws Error when nobody has this login, e-mail address or account id */
export function getPerson<P extends Person>(state: { people: readonly P[] }, key: string): P {
  const person = findPerson(state, key);
  if (person === null) throw new Error(`There is nobody called ${key}`);
  return person;
}

/** The refusal of a token request (RFC 6749 section 5.2). */
export function tokenFault(
  c: Context,
  { refuse }: { refuse: RequestLog["refuse"] },
  error: string,
  description: string,
): Response {
  const status = error === "invalid_client" ? 401 : 400;
  // A revoked grant is a normal case; a wrong client or request is a bug in our code.
  if (error !== "invalid_grant") {
    refuse({ kind: "refused", method: c.req.method, path: c.req.path, status, reason: description });
  }
  return c.json({ error, error_description: description }, status);
}
