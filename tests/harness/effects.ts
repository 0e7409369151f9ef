/**
 * Every effect on the world outside an isolate, counted in order. A test can kill the isolate or lose a response at
 * exactly one of them.
 */
export type EffectKind = "ledger" | "control" | "bucket" | "queue" | "provider" | "actor";
export type Effect = { kind: EffectKind; name: string };

/**
 * What happens at one effect. `kill`: the isolate dies before or after the effect; none of its code runs any more, not
 * even a `finally`. `fail`: the caller sees an error before the effect happens, or although it happened.
 */
export type Blow = {
  at: number | ((effect: Effect) => boolean);
  how: "kill-before" | "kill-after" | "fail-before" | "fail-after";
};

/** The error that `fail` throws. Worded like D1's own errors; not a class that the product recognises. */
export class InjectedFaultError extends Error {
  override name = "InjectedFaultError";
}

/** The life of one isolate. */
export type Life = {
  log: Effect[];
  isDead: () => boolean;
  /** Resolves when a blow ends the life. */
  death: Promise<void>;
  /** Aborted when the life ends: open connections close with their isolate. */
  signal: AbortSignal;
  /** Counts and performs an effect. */
  perform: <T>(effect: Effect, act: () => Promise<T>) => Promise<T>;
  /** Performs a call that changes nothing outside. */
  look: <T>(act: () => Promise<T>) => Promise<T>;
};

/** Begins a life with at most one blow. */
export function beginLife(blow: Blow | null = null): Life {
  const log: Effect[] = [];
  const abort = new AbortController();
  const dead = Promise.withResolvers<void>();
  let isDead = false;
  let isStruck = false;
  const never = <T>() => new Promise<T>(() => {});
  const die = <T>() => {
    isDead = true;
    abort.abort(new Error("the isolate is gone"));
    dead.resolve();
    return never<T>();
  };
  return {
    log,
    isDead: () => isDead,
    death: dead.promise,
    signal: abort.signal,
    perform: async (effect, act) => {
      if (isDead) return never();
      const index = log.push(effect) - 1;
      const isHit = !isStruck && (typeof blow?.at === "function" ? blow.at(effect) : index === blow?.at);
      isStruck ||= isHit;
      if (isHit && blow?.how === "kill-before") return die();
      if (isHit && blow?.how === "fail-before") throw faultAt(effect);
      const result = await act();
      if (isDead) return never();
      if (isHit && blow?.how === "kill-after") return die();
      if (isHit && blow?.how === "fail-after") throw faultAt(effect);
      return result;
    },
    look: async (act) => {
      if (isDead) return never();
      const result = await act();
      return isDead ? never() : result;
    },
  };
}

const faultAt = ({ kind, name }: Effect) =>
  new InjectedFaultError(`${kind}: internal error; reference = test. (${name})`);
