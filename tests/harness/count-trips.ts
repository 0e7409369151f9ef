import { REGIONS } from "#core/kernel/platform-id.ts";

/** A wave starts after this long without a new call. */
const QUIET_MS = 25;

/** The calls of one request, trip by trip. Calls of one trip run in parallel. */
export type Trips = {
  /** Calls to databases and Durable Objects, one list for each trip. */
  databases: string[][];
  /** Trips in which a bucket was read. */
  bucket: number;
};

/**
 * Bindings that hold calls and release them in waves. A wave is released when no new call has arrived for a while, so the
 * number of waves is the number of sequential trips. A busy machine can only increase it.
 */
export function countingTrips(bindings: Env): { env: Env; trips: () => Trips } {
  const waves: string[][] = [];
  let waiting: { name: string; go: () => void }[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const leave = () => {
    const wave = waiting;
    waiting = [];
    waves.push(wave.map(({ name }) => name));
    for (const { go } of wave) go();
  };
  const gate = async <T>(name: string, act: () => Promise<T>): Promise<T> => {
    if (AFTERWARDS.test(name)) return act();
    clearTimeout(timer);
    timer = setTimeout(leave, QUIET_MS);
    await new Promise<void>((go) => waiting.push({ name, go }));
    return act();
  };
  const env = { ...bindings, ACCOUNT_HUB: gatedObjects(bindings.ACCOUNT_HUB, gate) } as Env;
  const gatedEnv = Object.assign(env, {
    DB: gatedDatabase(bindings.DB, "control", gate),
    AVATARS: gatedBucket(bindings.AVATARS, gate),
    ...Object.fromEntries(
      REGIONS.flatMap((region) => [
        [`LEDGER_${region}`, gatedDatabase(bindings[`LEDGER_${region}`], region, gate)],
        [`VAULT_${region}`, gatedBucket(bindings[`VAULT_${region}`], gate)],
      ]),
    ),
  });
  const isBucket = (name: string) => name.startsWith(BUCKET);
  return {
    env: gatedEnv,
    trips: () => ({
      databases: waves
        .map((wave) => wave.filter((name) => !isBucket(name)))
        .filter((wave) => wave.length > 0),
      bucket: waves.filter((wave) => wave.some(isBucket)).length,
    }),
  };
}

const BUCKET = "bucket ";
/** Calls that no response waits for. */
const AFTERWARDS = /^hub: learn$|^control: update "session"/;

type Gate = <T>(name: string, act: () => Promise<T>) => Promise<T>;

/** Replaces some members of a binding and binds the others. */
function overlay<T extends object>(target: T, members: Record<string, unknown>): T {
  return new Proxy(target, {
    get: (_, name) => {
      if (typeof name === "string" && Object.hasOwn(members, name)) return members[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function gatedDatabase(database: D1Database, plane: string, gate: Gate): D1Database {
  const plain = new WeakMap<object, D1PreparedStatement>();
  const wrap = (statement: D1PreparedStatement, text: string): D1PreparedStatement => {
    const asks = (method: "first" | "run" | "all" | "raw") => [
      method,
      (...values: unknown[]) =>
        gate(
          `${plane}: ${text}`,
          () => Reflect.apply(statement[method], statement, values) as Promise<unknown>,
        ),
    ];
    const wrapped = overlay(statement, {
      bind: (...values: unknown[]) => wrap(statement.bind(...values), text),
      ...Object.fromEntries((["first", "run", "all", "raw"] as const).map(asks)),
    });
    plain.set(wrapped, statement);
    return wrapped;
  };
  return overlay(database, {
    withSession: (...start: [string]) =>
      gatedDatabase(database.withSession(...start) as unknown as D1Database, plane, gate),
    prepare: (text: string) => wrap(database.prepare(text), text),
    batch: (statements: D1PreparedStatement[]) =>
      gate(`${plane}: batch of ${statements.length}`, () =>
        database.batch(statements.map((each) => plain.get(each) ?? each)),
      ),
  });
}

function gatedBucket(bucket: R2Bucket, gate: Gate): R2Bucket {
  const asks = (method: "head" | "get" | "list") => [
    method,
    (...values: unknown[]) =>
      gate(`${BUCKET}${method}`, () => Reflect.apply(bucket[method], bucket, values) as Promise<unknown>),
  ];
  return overlay(bucket, Object.fromEntries((["head", "get", "list"] as const).map(asks)));
}

function gatedObjects<T extends Rpc.DurableObjectBranded | undefined>(
  namespace: DurableObjectNamespace<T>,
  gate: Gate,
): DurableObjectNamespace<T> {
  return overlay(namespace, {
    getByName: (name: string) => {
      const stub = namespace.getByName(name);
      return new Proxy(stub, {
        get: (_, method) => {
          const value: unknown = Reflect.get(stub, method, stub);
          if (typeof value !== "function" || typeof method === "symbol") return value;
          return (...values: unknown[]) =>
            gate(`hub: ${method}`, async () => Reflect.apply(value, stub, values) as unknown);
        },
      });
    },
  });
}
