import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Limits that Cloudflare enforces and the local runtime does not (developers.cloudflare.com: Workers, D1, R2 and
 * Queues, "Limits"; design, engine 10). Limits that the runtime enforces itself are not repeated: LIKE patterns,
 * columns, sizes of an upload's parts.
 */
export const LIMITS = {
  /** Fetches and calls of D1, R2 and Queues that wait for response headers. Further ones queue. */
  connections: 6,
  subrequests: 10_000,
  /** Statements. Each statement of a batch counts. */
  queries: 1_000,
  statementBytes: 100_000,
  parameters: 100,
  /** One value, and one row with all its values. */
  valueBytes: 2_000_000,
  messageBytes: 128_000,
  messages: 100,
  batchBytes: 256_000,
  delaySeconds: 12 * 3_600,
  deletedKeys: 1_000,
  keyBytes: 1_024,
  metadataBytes: 8_192,
  addressBytes: 16_384,
} as const;

type Invocation = {
  fetches: number;
  open: number;
  waiting: (() => void)[];
  subrequests: number;
  queries: number;
};

/**
 * Enforces the limits. A call that exceeds one fails with an error, as on Cloudflare, and is recorded, so that code
 * that catches the error does not hide it. Limits per invocation count only inside one.
 */
export type PlatformLimits = {
  /** The exceeded limits, one sentence each. */
  exceeded: Set<string>;
  /** Receives the text of every statement. */
  onStatement: (text: string) => void;
  /** @throws Error when `amount` exceeds `most` */
  hold: (what: string, amount: number, most: number, of: string) => void;
  /** @throws Error when a queue would reject the messages */
  messages: (bodies: readonly unknown[], delaySeconds?: number) => void;
  /** One invocation of the Worker: a request, a delivered batch, a tick, an alarm. Each one has its own counters. */
  invocation: <T>(act: () => Promise<T>) => Promise<T>;
  /** Whether the caller runs inside an invocation. */
  isInvoked: () => boolean;
  /** One outgoing call with `queries` statements. It holds a connection until `act` resolves. */
  call: <T>(kind: CallKind, name: string, act: () => Promise<T>, queries?: number) => Promise<T>;
};
export type CallKind = "fetch" | "database" | "bucket" | "queue" | "object";

/** UTF-8 bytes of a text. */
export const bytesOf = (text: string): number => new TextEncoder().encode(text).length;
const shortly = (text: string) => text.replace(/\s+/g, " ").trim().slice(0, 80);

/** Creates limits with empty counters. */
export function watchLimits(): PlatformLimits {
  const exceeded = new Set<string>();
  const invocations = new AsyncLocalStorage<Invocation>();
  const note = (what: string, amount: number, most: number, of: string) => {
    const sentence = `${what}: ${amount}, where ${most} are allowed (${shortly(of)})`;
    if (amount > most) exceeded.add(sentence);
    return sentence;
  };
  const hold = (what: string, amount: number, most: number, of: string) => {
    if (amount > most) throw new Error(`The platform refuses this. ${note(what, amount, most, of)}`);
  };
  const count = (invocation: Invocation, name: string, queries: number) => {
    invocation.subrequests += 1;
    invocation.queries += queries;
    hold("sub-requests of an invocation", invocation.subrequests, LIMITS.subrequests, name);
    hold("queries of an invocation", invocation.queries, LIMITS.queries, name);
  };
  return {
    exceeded,
    onStatement: () => {},
    hold,
    messages: (bodies, delaySeconds = 0) => {
      const sizes = bodies.map((body) => bytesOf(JSON.stringify(body)));
      const first = JSON.stringify(bodies[0]) ?? "nothing";
      hold("messages at once", bodies.length, LIMITS.messages, first);
      hold("bytes of a message", Math.max(0, ...sizes), LIMITS.messageBytes, first);
      const all = sizes.reduce((sum, size) => sum + size, 0);
      hold("bytes of messages at once", all, LIMITS.batchBytes, first);
      hold("seconds of a message's delay", delaySeconds, LIMITS.delaySeconds, first);
    },
    invocation: (act) =>
      invocations.run({ fetches: 0, open: 0, waiting: [], subrequests: 0, queries: 0 }, act),
    isInvoked: () => invocations.getStore() !== undefined,
    call: async (kind, name, act, queries = 0) => {
      const invocation = invocations.getStore();
      if (!invocation) return act();
      count(invocation, name, queries);
      // Calls to Durable Objects and other Workers hold no connection.
      if (kind === "object") return act();
      const fetches = kind === "fetch" ? 1 : 0;
      invocation.fetches += fetches;
      // Cloudflare queues these fetches. Code that starts more at once was not designed for the limit.
      note("fetches at once", invocation.fetches, LIMITS.connections, name);
      try {
        return await connected(invocation, act);
      } finally {
        invocation.fetches -= fetches;
      }
    },
  };
}

/** Runs `act` on one of the invocation's connections. Waits until one is free. */
async function connected<T>(invocation: Invocation, act: () => Promise<T>): Promise<T> {
  if (invocation.open < LIMITS.connections) invocation.open += 1;
  else await new Promise<void>((resolve) => invocation.waiting.push(resolve));
  try {
    return await act();
  } finally {
    // Passes the connection to the next waiting call.
    const next = invocation.waiting.shift();
    if (next) next();
    else invocation.open -= 1;
  }
}
