import type { ConformanceWorld } from "#tests/conformance/connector/suite.ts";
import { configSchema } from "./authorize.ts";
import { type AlmanacSimulator, startAlmanacSimulator } from "./simulator/almanac-simulator.ts";
import { NORA } from "./simulator/seed.ts";
import type { AlmanacSettings, StoredBook } from "./simulator/state.ts";

/** A book at the simulated Almanac. */
export type BookReference = { externalId: string; fullName: string };

/** Nora's first site at a simulated Almanac, with handles for tests. */
export type AlmanacTestWorld = Omit<
  ConformanceWorld,
  "changeItem" | "makeItem" | "titledKinds" | "consent" | "faults" | "limitShapes" | "places" | "issueToken"
> & {
  /** Returns a token for one kind of access. */
  issueToken(scope?: "books" | "readers"): Promise<string>;
  simulator: AlmanacSimulator;
  /** Who gives consent. */
  login: string;
  /** Causes something that happens at Almanac without us. */
  happen<T>(path: string, body?: object): Promise<T>;
  makeBook(name: string, content?: "empty" | "full"): Promise<BookReference>;
  /** Everything in a book. */
  read(book: Pick<BookReference, "externalId">): Promise<StoredBook>;
};

/** Opens a simulated Almanac with a few books. Limits have tests of their own. */
export async function openAlmanacWorld(settings: Partial<AlmanacSettings> = {}): Promise<AlmanacTestWorld> {
  const generous = { requestLimit: 1_000_000, uploadLimit: 1_000_000 };
  const simulator = await startAlmanacSimulator({ seed: "people", settings: { ...generous, ...settings } });
  const [site] = simulator.world.state.sites;
  const happen: AlmanacTestWorld["happen"] = async <T>(path: string, body?: object) => {
    const response = await fetch(`${simulator.url}/__sim/almanac${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (response.status === 204 ? null : await response.json()) as T;
  };
  const makeBook: AlmanacTestWorld["makeBook"] = async (name, content = "empty") => {
    const { id } = await happen<{ id: string }>("/books", { name, content });
    return { externalId: id, fullName: `${name} (${id})` };
  };
  const read = ({ externalId }: { externalId: string }) =>
    happen<StoredBook>(`/books/${externalId}/fingerprint`);
  const item = await makeBook("Harbour handbook", "full");
  const doomed = await makeBook("Old tariffs");
  await makeBook("harbour handbook, second half");
  const { id: siteId, address } = site ?? { id: "", address: "" };
  return {
    ...{ simulator, happen, makeBook, read, item, doomed, login: NORA.login, kind: "book" },
    config: configSchema.parse(simulator.vars),
    connectionDetails: { siteId, address },
    accountName: site?.name ?? "",
    issueToken: async (scope = "books") =>
      (await happen<{ token: string }>("/token", { login: NORA.login, scopes: [scope, "offline"] })).token,
    fingerprint: async (book) => JSON.stringify(await read(book)),
    deleteItem: ({ externalId }) => happen(`/books/${externalId}/delete`, {}),
    revoke: () => happen("/token/revoke", {}),
    exhaustQuota: async (resetAt) => {
      const seconds = Math.ceil((resetAt - Date.now()) / 1_000);
      const action = { kind: "rate-limit", shape: "site", retryAfter: String(seconds) } as const;
      simulator.faults.add({ match: { path: "^/v1/" }, times: 1_000, action });
      return Date.now() + seconds * 1_000;
    },
    stop: () => simulator.stop(),
  };
}
