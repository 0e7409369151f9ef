import { expect } from "vitest";
import type { Services } from "#workers/services.ts";
import { findFaults, findUnfinished } from "./check-vault.ts";
import { type Blow, beginLife, type Effect } from "./effects.ts";
import type { FlowWorld } from "./flow-world.ts";
import { isDeep, isSampled, sampleOf, sweep } from "./sample.ts";
import { saveWorld } from "./saved-world.ts";

/** A scenario is played once for every blow of a deep run; this is how long a test may take for that. */
export const WHOLE_STRIKE_MS = 600_000;

/** What one isolate does in a scenario. */
export type Act = (services: Services) => Promise<unknown>;

/** What is struck. */
export type Scenario = {
  name: string;
  world: FlowWorld;
  act: Act;
  /** Which effects are struck; absent = all. */
  only?: (effect: Effect) => boolean;
};

/**
 * Runs a scenario once to count its effects, then once for every blow of this run. After each the product is left
 * alone until everything has ended; `judge` says what must hold then, whatever happened.
 *
 * A deep run strikes with every blow. A usual run always strikes around every commit, where half of something would
 * come from, in one way each: it dies before or after it, or loses its answer, the next way with every commit of the
 * repository. Of the rest, most of which only meets a retry that other blows have tried as well, it takes one in six
 * in the same manner, but always the first and the last one and one of every kind of effect.
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
 * @param whole Those of a deep run. Effects that none of them meets are left alone.
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
  // Neighbours are struck in different ways, so that one run tries all of them.
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

/** Steps of an upload differ more than two rows or two requests do. */
const kindOf = ({ kind, name }: Effect) => (kind === "bucket" ? name : kind);

/** A usual run takes one in so many of the blows that are not around a commit. */
const REST_PARTS = 6;

/** Nothing of ours can be half before something new at a platform. */
const AROUND_A_COMMIT = {
  inside: ["kill-before", "kill-after", "fail-after"],
  outside: ["kill-after", "fail-after"],
} as const;

/**
 * Whether something is there for others once the effect has happened: rows that are committed together, an upload
 * that is completed, something new at a platform. A pack of git and GraphQL are asked for by POST, but change nothing.
 */
function isCommit(effect: Effect): boolean {
  const { kind, name } = effect;
  if (kind === "provider") return !isQuestion(effect) && !/git-upload-pack|graphql/.test(name);
  return kind === "bucket" ? name === "complete" : name.startsWith("batch of");
}

/**
 * The first effect of each name meets every blow. Of its repetitions, those on bytes and rows meet a death and, by
 * turns, an error on one side; those on actors, which only count and wait, one death in three. Of the questions to the
 * platform, which change nothing there, every fourth is struck: one time it dies, one time its answer is lost. A death
 * before an effect is one after the effect before it, so it is tried apart only where that one is left out.
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

/** Delivers what waits in the queue to one isolate, as one consumer would. */
export const deliverWaiting =
  (world: FlowWorld): Act =>
  async (services) => {
    const letters = world.queue.letters.splice(0);
    for (const letter of letters) await world.deliver(letter, { life: beginLife(), services });
  };

/** Nothing in the vault is wrong, and nothing is left undone. */
export async function expectSound(world: FlowWorld, blow: string): Promise<void> {
  expect([blow, await findFaults(world)]).toEqual([blow, []]);
  expect([blow, await findUnfinished(world)]).toEqual([blow, []]);
}
