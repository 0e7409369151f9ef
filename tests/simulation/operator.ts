import { HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import type { Dice } from "#tests/harness/dice.ts";
import type { EffectKind } from "#tests/harness/effects.ts";
import { causesOf } from "./complaints.ts";
import type { DeployedWorker } from "./deployed-worker.ts";
import { type Home, SHARDS } from "./region-ledgers.ts";
import type { Scheduler } from "./scheduler.ts";
import type { Fate } from "./weather.ts";

/** Who moves the organisation between the ledgers of its region, with a command that may die at any call. */
export type Operator = {
  isAtWork(): boolean;
  /** What the operator does now and then: begins a move, takes one up, gives one up, or nothing. */
  attend(): void;
  /** The same in quiet days, in which what was begun ends and nothing begins. */
  finish(): void;
};

type Ground = {
  roll: Dice;
  scheduler: Scheduler;
  worker: DeployedWorker;
  organisationId: string;
  say: (fault: string) => void;
};

/**
 * A ledger is known to every isolate an hour after it was measured. Every world begins to move in its first day, and gives no
 * move up before one has ended.
 */
const FIRST_AFTER_MS = 3 * HOUR_MS;
const FIRST_WITHIN_MS = 20 * HOUR_MS;
/** The network between the operator and the databases: at most so slow, per call. */
const FAR_MS = [0, 300, 2_000] as const;
/** How a command meets the moves of others, or a ledger whose measure was lost: it is told, or its statement fails by intention. */
const EXPECTED = /simulated|has not been measured|Another command has taken|NOT NULL|It is moving to/;

/** Hires an operator. */
export function hireOperator({ roll, scheduler, worker, organisationId, say }: Ground): Operator {
  const { ledgers } = worker;
  const firstAt = scheduler.now() + FIRST_AFTER_MS + roll(FIRST_WITHIN_MS);
  const firstHome = ledgers.home();
  let isFirst = true;
  let hasMoved = false;
  let goal: Home | null = null;
  let running = 0;

  const run = (target: Home, fate: Fate) => {
    running += 1;
    const move = worker.command(
      `move to ${target}`,
      async (product, services) => {
        let last = "nothing";
        const own = { ...services, shards: SHARDS };
        for await (const { type } of product.moveOrganisation(own, { organisationId, target })) last = type;
        return last;
      },
      fate,
    );
    void move
      .then(
        (last) => {
          // Otherwise it has died, or moved and is called again for what it left.
          if ((last === "removed" || last === "nothing") && goal === target) goal = null;
        },
        (cause: Error) => {
          if (!EXPECTED.test(causesOf(cause))) say(`the command of a move failed: ${causesOf(cause)}`);
        },
      )
      .finally(() => {
        running -= 1;
      });
  };

  return {
    isAtWork: () => running > 0,
    attend() {
      hasMoved ||= ledgers.home() !== firstHome;
      // Two at once: the later takes the move over.
      if (running > 0 && roll(6) > 0) return;
      if (goal === null) {
        if (isFirst ? scheduler.now() < firstAt : roll(24) > 0) return;
        isFirst = false;
        goal = ledgers.away();
        // What nobody takes up, the clock undoes.
      } else if (roll(3) === 0) return;
      else if (roll(8) === 0 && hasMoved) goal = ledgers.home();
      run(goal, drawFate(roll));
    },
    finish() {
      if (running > 0) return;
      if (goal === null && ledgers.hasRows(ledgers.away())) goal = ledgers.home();
      if (goal !== null) run(goal, () => ({ delayMs: 0, blow: null }));
    },
  };
}

/**
 * How far away the operator is, and what happens to the command: often nothing but the weather. Or it is stopped at one of its
 * calls, or it sleeps there for longer than a move may be silent, and goes on when others have undone or ended it. A third
 * of these calls are writes of the control database, and another third is the one that decides a move.
 */
function drawFate(roll: Dice): Fate {
  const farMs = FAR_MS[roll(FAR_MS.length)]!;
  const where = (["anywhere", "control", "switch"] as const)[roll(3)]!;
  const how = (["nothing", "kill-before", "kill-after", "sleep"] as const)[roll(4)]!;
  let left = { anywhere: roll(250), control: roll(4), switch: 0 }[where];
  const isCounted = (kind: EffectKind, name: string) =>
    where === "anywhere" ||
    (kind === "control" && name !== "read" && (where === "control" || /SET shards/.test(name)));
  return (kind, name) => {
    const isHit = isCounted(kind, name) && left-- === 0;
    const delayMs = farMs === 0 ? 0 : roll(farMs);
    if (!isHit || how === "nothing") return { delayMs, blow: null };
    if (how === "sleep") return { delayMs: delayMs + 15 * MINUTE_MS + roll(2 * HOUR_MS), blow: null };
    return { delayMs, blow: how };
  };
}
