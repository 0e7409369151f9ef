import { expect } from "vitest";
import type { Services } from "#workers/services.ts";
import { findFaults, findUnfinished } from "./check-vault.ts";
import { type Blow, beginLife, type Effect } from "./effects.ts";
import type { FlowWorld } from "./flow-world.ts";
import { isDeep, isSampled, sampleOf, sweep } from "./sample.ts";
import { saveWorld } from "./saved-world.ts";

/** Timeout of a test in a deep run, which plays a scenario once for every blow. */
export const WHOLE_STRIKE_MS = 600_000;

/** What one isolate does in a scenario. */
export type Act = (services: Services) => Promise<unknown>;

/** A scenario to strike. */
export type Scenario = {
  name: string;
  world: FlowWorld;
  act: Act;
  /** Which effects to strike. Default: all. */
  only?: (effect: Effect) => boolean;
};

/**
 * Runs a scenario once to count its effects, then once for every blow of this run. After each blow, lets the product
 * finish its work. `judge` then checks what must always hold.
 *
 * A deep run uses every blow. A normal run always strikes around every commit, where half-done work would come from: it
 * dies before or after the commit, or loses the response, and the next commit of the repository selects another way.
 * Most other blows only exercise a retry that others exercise too, so it takes one in ten, and always the first, the
 * last, and one of every kind of effect.
 */
export async function strike(
  { name, world, act, only = () => true }: Scenario,
  judge: (blow: string) => Promise<void>,
): Promise<void> {
  const restore = await saveWorld(world);
  const calm = world.bear(null);
  await act(calm.services);
  const { log } = calm.life;
  await world.drain();
  await judge("no blow");
  const startedAt = Date.now();
  const whole = log.flatMap((effect, at) =>
    only(effect) ? blowsAt(log, at).map((how) => ({ at, how })) : [],
  );
  const blows = blowsOfRun(log, whole);
  await sweep(async () => {
    for (const { at, how } of blows) {
      await restore();
      const isolate = world.bear({ at, how });
      const done = act(isolate.services).catch(() => undefined);
      await Promise.race([done, isolate.life.death]);
      await world.drain();
      await judge(`${how} ${at}: ${log[at]!.kind} ${log[at]!.name}`);
    }
  });
  await restore();
  await world.drain();
  const kinds = Object.entries(Object.groupBy(log, ({ kind }) => kind)).map(
    ([kind, list]) => `${list!.length} ${kind}`,
  );
  console.log(
    `${name}: ${log.length} effects (${kinds.join(", ")}), ${blows.length} blows, ${Date.now() - startedAt} ms`,
  );
  expect(blows.length).toBeGreaterThan(3);
}

type IndexedBlow = Blow & { at: number };

/**
 * The blows of this run, in the order of their effects: see `strike`.
 *
 * @param whole The blows of a deep run. Effects without a blow in it are not struck.
 */
export function blowsOfRun(log: readonly Effect[], whole: readonly IndexedBlow[]): readonly IndexedBlow[] {
  if (isDeep()) return whole;
  const around = log
    .map((_, at) => at)
    .filter((at) => isCommit(log[at]!) && isFirst(log, at) && whole.some((blow) => blow.at === at))
    .map((at) =>
      AROUND_A_COMMIT[log[at]!.kind === "provider" ? "outside" : "inside"].map(
        (how): IndexedBlow => ({ at, how }),
      ),
    );
  // Strikes neighbours in different ways, so that one run covers all of them.
  const chosen = around.flatMap((ways, turn) => ways.filter((_, way) => isSampled(way + turn, ways.length)));
  const names = new Set(around.flat().map(({ at, how }) => `${how} ${at}`));
  const rest = whole.filter(({ at, how }) => !names.has(`${how} ${at}`));
  chosen.push(...rest.filter((_, i) => isSampled(i, REST_PARTS) || i === 0 || i === rest.length - 1));
  const kindAt = (blow: IndexedBlow) => kindOf(log[blow.at]!);
  for (const kind of new Set(whole.map(kindAt))) {
    if (chosen.some((blow) => kindAt(blow) === kind)) continue;
    const ofKind = whole.filter((blow) => kindAt(blow) === kind);
    chosen.push(...sampleOf(ofKind, 1));
  }
  return chosen.sort((one, other) => one.at - other.at);
}

/** The steps of an upload differ from each other more than two rows or two requests do. */
const kindOf = ({ kind, name }: Effect) => (kind === "bucket" ? name : kind);

/** A normal run takes one in this many of the blows that are not around a commit. */
const REST_PARTS = 10;

/** A change at a platform has no `kill-before`: none of our own writes is half-done before it. */
const AROUND_A_COMMIT = {
  inside: ["kill-before", "kill-after", "fail-after"],
  outside: ["kill-after", "fail-after"],
} as const;

/**
 * Whether the effect makes something visible to others: a batch of rows, a completed upload, a change at a platform.
 * Fetching a git pack and GraphQL use POST but change nothing.
 */
function isCommit(effect: Effect): boolean {
  const { kind, name } = effect;
  if (kind === "provider") return !isQuestion(effect) && !/git-upload-pack|graphql/.test(name);
  return kind === "bucket" ? name === "complete" : name.startsWith("batch of");
}

/**
 * The first effect of each name gets every blow. Its repetitions get less: writes to the bucket and rows get a death
 * and, in turn, an error before or after; actors, which only count and wait, get a death every third time. Of the read
 * requests to the platform, every fourth is struck: a death and a lost response take turns. A death before an effect
 * equals a death after the previous one, so it is tried only where that one is left out.
 */
function blowsAt(log: readonly Effect[], at: number): Blow["how"][] {
  if (isQuestion(log[at]!)) return blowsOn(log, at);
  const isDeathBefore = at > 0 && blowsOn(log, at - 1).includes("kill-after");
  const blows = blowsOn(log, at);
  return isFirst(log, at) && !isDeathBefore ? ["kill-before", ...blows] : blows;
}

function blowsOn(log: readonly Effect[], at: number): Blow["how"][] {
  if (isQuestion(log[at]!)) return at % 4 > 0 ? [] : [at % 8 > 0 ? "fail-after" : "kill-after"];
  if (isFirst(log, at)) return ["kill-after", "fail-before", "fail-after"];
  if (log[at]!.kind === "actor") return at % 3 === 0 ? ["kill-after"] : [];
  return ["kill-after", at % 2 ? "fail-before" : "fail-after"];
}

const isQuestion = ({ kind, name }: Effect) => kind === "provider" && /^(GET|HEAD) /.test(name);

const isFirst = (log: readonly Effect[], at: number) =>
  log.findIndex(({ name }) => name === log[at]!.name) === at;

/** Delivers all waiting messages to one isolate, as one consumer would. */
export const deliverWaiting =
  (world: FlowWorld): Act =>
  async (services) => {
    const letters = world.queue.letters.splice(0);
    for (const letter of letters) await world.deliver(letter, { life: beginLife(), services });
  };

/** Expects no faults in the vault and no unfinished work. */
export async function expectSound(world: FlowWorld, blow: string): Promise<void> {
  expect([blow, await findFaults(world)]).toEqual([blow, []]);
  expect([blow, await findUnfinished(world)]).toEqual([blow, []]);
}
