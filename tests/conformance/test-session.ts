import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { DEFAULT_AUTH_METHOD } from "#connectors/contract/descriptor.ts";
import type {
  ConnectorConfig,
  RateLimitReport,
  RestoredItem,
  RestoreEvent,
  RestoreJournal,
  Session,
} from "#connectors/contract/platform-connector.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { bytesOf, LIMITS } from "#tests/harness/platform-limits.ts";

/** A session that records what a connector does with it. */
export type TestSession = Session & {
  requests: { method: string; url: string }[];
  reports: RateLimitReport[];
  slept: number[];
};

/** A session with a fixed token, real time, and sleeps that return at once. */
export function testSession(order: {
  config: ConnectorConfig;
  token: string;
  accountName: string;
  connectionDetails?: Json | undefined;
  fetch?: Session["fetch"];
  /** The token after a renewal. Default: the token cannot be renewed. */
  renewed?: string;
  authMethod?: string;
  /** Tokens of the connection's other methods. */
  others?: Readonly<Record<string, string>>;
}): TestSession {
  const requests: TestSession["requests"] = [];
  const reports: RateLimitReport[] = [];
  const slept: number[] = [];
  const forward = order.fetch ?? ((url: string, init?: RequestInit) => fetch(url, init));
  return {
    config: order.config,
    accountName: order.accountName,
    connectionDetails: order.connectionDetails ?? null,
    clock: { now: () => Date.now() },
    requests,
    reports,
    slept,
    fetch: (url, init) => {
      requests.push({ method: init?.method ?? "GET", url });
      return forward(url, { ...init, redirect: "manual" });
    },
    accessToken: async (refused) => {
      if (refused === undefined) return order.token;
      if (order.renewed !== undefined) return order.renewed;
      throw new ConnectorError("unauthorized", "The access was revoked.");
    },
    authMethod: order.authMethod ?? DEFAULT_AUTH_METHOD,
    as: (authMethod) => {
      const token = order.others?.[authMethod];
      return token === undefined ? null : testSession({ ...order, token, authMethod });
    },
    spend: async () => undefined,
    report: async (limits) => void reports.push(limits),
    sleep: async (ms) => void slept.push(ms),
  };
}

/**
 * A journal in memory with the same limit per value as the product's database. `failAt` makes the n-th recording fail,
 * like a crash at that moment.
 */
export function memoryJournal(): RestoreJournal & {
  entries: Map<string, Json>;
  failAt: number | null;
  /** The number of attempts to record. */
  recorded(): number;
} {
  const entries = new Map<string, Json>();
  let records = 0;
  const journal = {
    entries,
    failAt: null as number | null,
    recorded: () => records,
    find: async (key: string) => entries.get(key) ?? null,
    async record(key: string, value: Json) {
      records += 1;
      if (journal.failAt !== null && records === journal.failAt) throw new Error("The worker died.");
      if (bytesOf(JSON.stringify(value)) > LIMITS.valueBytes)
        throw new Error(`The note ${key} is too large for a row.`);
      entries.set(key, structuredClone(value));
    },
  };
  return journal;
}

/** Runs a restore to its end. */
export async function runRestore(
  events: AsyncGenerator<RestoreEvent, RestoredItem>,
): Promise<{ item: RestoredItem; events: RestoreEvent[] }> {
  const seen: RestoreEvent[] = [];
  for (;;) {
    const step = await events.next();
    if (step.done === true) return { item: step.value, events: seen };
    seen.push(step.value);
  }
}
