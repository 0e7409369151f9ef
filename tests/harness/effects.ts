/**
 * Every effect on the world outside an isolate, counted in order, so that a test can end an isolate's life, or lose
 * an answer, at exactly one of them.
 */
export type EffectKind = "ledger" | "control" | "bucket" | "queue" | "provider" | "actor";
export type Effect = { kind: EffectKind; name: string };

/**
 * What happens at one effect. `kill`: the isolate is gone before or after it, nothing of it runs any more, not even
 * a `finally`. `fail`: the caller sees an error although (after) or because (before) the effect did (not) happen.
 */
export type Blow = {
  at: number | ((effect: Effect) => boolean);
  how: "kill-before" | "kill-after" | "fail-before" | "fail-after";
};

/** The error that `fail` throws: worded like D1's own, and of no class that the rules know. */
export class InjectedFaultError extends Error {
  override name = "InjectedFaultError";
}

/** One isolate's life, as long as it lasts. */
export type Life = {
  log: Effect[];
  isDead: () => boolean;
  /** Resolves when the life ends by a blow. */
  death: Promise<void>;
  /** Aborted with the life: open connections go down with their isolate. */
  signal: AbortSignal;
  /** Counts and performs an effect. */
  perform: <T>(effect: Effect, act: () => Promise<T>) => Promise<T>;
  /** Performs what changes nothing outside. */
  look: <T>(act: () => Promise<T>) => Promise<T>;
};

/** Begins a life that meets one blow, or none. */
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
