import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#core/kernel/clock.ts";
import type { Dice } from "#tests/harness/dice.ts";
import type { EffectKind } from "#tests/harness/effects.ts";

/** What happens to one call: nothing, an error before or although it took place, or the death of its isolate. */
export type Blow = "none" | "fail-before" | "fail-after" | "kill-before" | "kill-after";

/** What befalls one call of somebody whom not only the weather troubles: so much later, and perhaps with this blow. */
export type Fate = (kind: EffectKind, name: string) => { delayMs: number; blow: Blow | null };

/** How the platform answers during a fault of its own. */
export type PlatformFault = { status: 429 | 503; retryAfterSeconds: number } | null;

/** The faults of a world. Days differ: some are calm, some have one bad part, some are bad in all. */
export type Weather = {
  blow(kind: EffectKind, name: string): Blow;
  /** How long a call takes. */
  delayMs(kind: EffectKind): number;
  platformFault(): PlatformFault;
  /** Whether calls of this kind are neither slow nor often struck today. */
  isFair(kind: EffectKind): boolean;
  /** The fate of a message: how often it arrives, and how much later than it should. */
  arrivals(): number[];
  /** Draws the weather of the next day. */
  turn(): void;
  /** From now on nothing goes wrong. */
  calm(): void;
};

type Day = {
  /** Of ten thousand calls, how many meet a blow, by what they call. */
  blows: Record<EffectKind, number>;
  slow: EffectKind | null;
  outage: { from: number; to: number; fault: NonNullable<PlatformFault> } | null;
  lost: number;
  doubled: number;
  late: number;
};

const KINDS: readonly EffectKind[] = ["ledger", "control", "bucket", "queue", "provider", "actor"];
const BLOWS: readonly Blow[] = ["fail-before", "fail-after", "kill-before", "kill-after"];
const OUT_OF = 10_000;
const USUAL_MS: Record<EffectKind, readonly [number, number]> = {
  ledger: [3, 12],
  control: [3, 12],
  bucket: [10, 40],
  queue: [5, 20],
  provider: [40, 200],
  actor: [3, 15],
};
const CALM: Day = {
  blows: { ledger: 0, control: 0, bucket: 0, queue: 0, provider: 0, actor: 0 },
  ...{ slow: null, outage: null, lost: 0, doubled: 0, late: 0 },
};

/** Opens the weather of a world. */
export function openWeather(roll: Dice, now: () => number): Weather {
  let day = CALM;
  const draw = (): Day => {
    const usual = [0, 25, 80][roll(3)]!;
    const blows = { ...CALM.blows };
    for (const kind of KINDS) blows[kind] = usual;
    // A ledger, a bucket or a platform that fails for a day.
    if (roll(2) === 0) blows[KINDS[roll(KINDS.length)]!] = 400;
    const from = now() + roll(DAY_MS);
    const status = roll(2) === 0 ? 429 : 503;
    return {
      blows,
      slow: roll(6) === 0 ? KINDS[roll(KINDS.length)]! : null,
      outage:
        roll(3) === 0
          ? {
              from,
              to: from + roll(5 * HOUR_MS),
              fault: { status, retryAfterSeconds: roll(3) * roll(1_800) },
            }
          : null,
      lost: roll(3) === 0 ? 500 : 0,
      doubled: roll(3) === 0 ? 1_000 : 50,
      late: roll(3) === 0 ? 2_000 : 100,
    };
  };
  return {
    blow: (kind) => (roll(OUT_OF) < day.blows[kind] ? BLOWS[roll(BLOWS.length)]! : "none"),
    delayMs(kind) {
      const [least, most] = USUAL_MS[kind];
      const usual = least + roll(most - least);
      if (day.slow !== kind) return usual;
      // Now and then so slow that a lease passes.
      return roll(40) === 0 ? usual + roll(2 * MINUTE_MS) : usual + roll(2 * SECOND_MS);
    },
    isFair: (kind) => day.slow !== kind && day.blows[kind] < 100,
    platformFault: () =>
      day.outage && now() >= day.outage.from && now() < day.outage.to ? day.outage.fault : null,
    arrivals() {
      const delay = () => (roll(OUT_OF) < day.late ? roll(30 * MINUTE_MS) : roll(SECOND_MS));
      if (roll(OUT_OF) < day.lost) return [];
      return roll(OUT_OF) < day.doubled ? [delay(), delay()] : [delay()];
    },
    turn: () => {
      day = draw();
    },
    calm: () => {
      day = CALM;
    },
  };
}
