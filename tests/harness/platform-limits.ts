import { AsyncLocalStorage } from "node:async_hooks";

/**
 * What Cloudflare refuses or holds back and the local runtime does not (design, engine 10). The harness notes whoever
 * goes beyond; a world that was left with notes fails when it is closed.
 */
const FETCHES_AT_ONCE = 6;
const MESSAGE_BYTES = 128_000;
const MESSAGES_AT_ONCE = 100;
const BATCH_BYTES = 256_000;
const STATEMENT_BYTES = 100_000;
const BOUND_PARAMETERS = 100;
const DELETED_KEYS = 1_000;

/** Notes of what went beyond a limit, one sentence each. */
export type PlatformLimits = {
  exceeded: Set<string>;
  statement: (text: string) => void;
  parameters: (count: number) => void;
  messages: (bodies: readonly unknown[]) => void;
  deletion: (keys: string | readonly string[]) => void;
  /** One invocation of the Worker: its connections are counted apart from those of others in the same isolate. */
  invocation: <T>(act: () => Promise<T>) => Promise<T>;
  /** A connection of the present invocation; it is open until its answer's head is here. */
  connection: <T>(act: () => Promise<T>) => Promise<T>;
};

/** Begins to take notes. */
export function watchLimits(): PlatformLimits {
  const exceeded = new Set<string>();
  const invocations = new AsyncLocalStorage<{ open: number }>();
  const outside = { open: 0 };
  const hold = (what: string, count: number, most: number) => {
    if (count > most) exceeded.add(`${what}: ${count}, where ${most} are allowed`);
  };
  const bytesOf = (body: unknown) => new TextEncoder().encode(JSON.stringify(body)).length;
  return {
    exceeded,
    statement: (text) => hold("bytes of a statement", text.length, STATEMENT_BYTES),
    parameters: (count) => hold("parameters of a statement", count, BOUND_PARAMETERS),
    messages: (bodies) => {
      const sizes = bodies.map(bytesOf);
      hold("messages at once", bodies.length, MESSAGES_AT_ONCE);
      hold("bytes of a message", Math.max(0, ...sizes), MESSAGE_BYTES);
      hold(
        "bytes of messages at once",
        sizes.reduce((sum, size) => sum + size, 0),
        BATCH_BYTES,
      );
    },
    deletion: (keys) =>
      hold("objects deleted at once", typeof keys === "string" ? 1 : keys.length, DELETED_KEYS),
    invocation: (act) => invocations.run({ open: 0 }, act),
    connection: async (act) => {
      const invocation = invocations.getStore() ?? outside;
      invocation.open += 1;
      hold("connections at once", invocation.open, FETCHES_AT_ONCE);
      try {
        return await act();
      } finally {
        invocation.open -= 1;
      }
    },
  };
}
