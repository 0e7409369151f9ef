import { expect } from "vitest";
import type { Services } from "#workers/services.ts";
import { findFaults, findUnfinished } from "./check-vault.ts";
import { type Blow, beginLife, type Effect } from "./effects.ts";
import type { FlowWorld } from "./flow-world.ts";
import { saveWorld } from "./saved-world.ts";

/** A scenario is played once for every blow; this is how long a test may take for that. */
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
 * Runs a scenario once to count its effects, then once for every effect and every blow. After each the product is
 * left alone until everything has ended; `judge` says what must hold then, whatever happened.
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
  let struck = 0;
  const startedAt = Date.now();
  for (let at = 0; at < log.length; at++) {
    if (!only(log[at]!)) continue;
    for (const how of blowsAt(log, at)) {
      await restore();
      const isolate = world.bear({ at, how } satisfies Blow);
      const done = act(isolate.services).catch(() => undefined);
      await Promise.race([done, isolate.life.death]);
      await world.drain();
      await judge(`${how} ${at}: ${log[at]!.kind} ${log[at]!.name}`);
      struck++;
    }
  }
  await restore();
  await world.drain();
  const kinds = Object.entries(Object.groupBy(log, ({ kind }) => kind)).map(
    ([kind, list]) => `${list!.length} ${kind}`,
  );
  console.log(
    `${name}: ${log.length} effects (${kinds.join(", ")}), ${struck} blows, ${Date.now() - startedAt} ms`,
  );
  expect(struck).toBeGreaterThan(3);
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
