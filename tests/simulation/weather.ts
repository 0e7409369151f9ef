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
  blow(kind: EffectKind, name: string | null): Blow;
  /** How long a call takes. Asked before `blow`, once for each call. `name` null = it does not count as rare. */
  delayMs(kind: EffectKind, name: string | null): number;
  /** How much later a rare call arrives than it should: its invocation has lost by then what it held. Mostly 0. */
  lateMs(kind: EffectKind, name: string | null): number;
  /** What befalls a call to the platform. A sign-in often works when nothing else does. */
  platformFault(isSignIn: boolean): PlatformFault;
  /** Whether calls of this kind are neither slow nor often struck today. */
  isFair(kind: EffectKind): boolean;
  /** The fate of a message: how often it arrives, and how much later than it should. */
  arrivals(): number[];
  /** Draws the weather of the next day. */
  turn(): void;
  /** From now on nothing goes wrong. */
  calm(): void;
};

/** The platform is out. That begins with one of the day's calls to it, so often in the middle of a run. */
type Outage = {
  callsBefore: number;
  lastsMs: number;
  hitsSignIn: boolean;
  from: number | null;
  fault: NonNullable<PlatformFault>;
};

type Day = {
  /** Of ten thousand calls, how many meet a blow, by what they call. */
  blows: Record<EffectKind, number>;
  slow: EffectKind | null;
  outage: Outage | null;
  lost: number;
  doubled: number;
  late: number;
};

const KINDS: readonly EffectKind[] = ["ledger", "control", "bucket", "queue", "provider", "actor"];
const BLOWS: readonly Blow[] = ["fail-before", "fail-after", "kill-before", "kill-after"];
const OUT_OF = 10_000;
/** An outage begins within so many calls of a day. */
const MOST_CALLS_BEFORE = 40;
/** A call is rare when fewer than one of so many have its name. */
const RARE = 150;
/** Of ten thousand rare calls, how many meet a blow on a day that is not calm. */
const RARE_BLOWS = 800;
/** Of ten thousand rare calls, how many arrive late, and by how much at most. */
const RARELY_LATE = 400;
const LATE_MS = 20 * MINUTE_MS;
/** Only what is written is worth it; the parts of a world that a move or a sign-in is judged by stay as they are. */
const RARELY_STRUCK: readonly EffectKind[] = ["ledger", "control", "queue"];
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
  const seen = new Map<string, number>();
  let total = 0;
  /** The steps that matter most are taken least: a commit, an end, a note of an e-mail. There a blow comes more often. */
  const isRare = (kind: EffectKind, name: string | null) =>
    name !== null && RARELY_STRUCK.includes(kind) && (seen.get(name) ?? 0) * RARE < total;
  const see = (name: string | null) => {
    if (name !== null) seen.set(name, (seen.get(name) ?? 0) + 1);
    total += 1;
  };
  /** Short and of any kind. Or more than a day long, in which the platform asks for patience: runs stay open until then. */
  const drawOutage = (): Outage => {
    const begin = { callsBefore: roll(MOST_CALLS_BEFORE), hitsSignIn: roll(3) === 0, from: null };
    if (roll(3) === 0) {
      const fault = { status: 429, retryAfterSeconds: 600 + roll(1_200) } as const;
      return { ...begin, lastsMs: DAY_MS + roll(16 * HOUR_MS), fault };
    }
    const status = roll(2) === 0 ? 429 : 503;
    return {
      ...begin,
      lastsMs: roll(5 * HOUR_MS),
      fault: { status, retryAfterSeconds: roll(3) * roll(1_800) },
    };
  };
  const isOut = ({ outage }: Day) =>
    outage !== null && outage.from !== null && now() < outage.from + outage.lastsMs;
  const draw = (): Day => {
    const usual = [0, 25, 80][roll(3)]!;
    const blows = { ...CALM.blows };
    for (const kind of KINDS) blows[kind] = usual;
    // A ledger, a bucket or a platform that fails for a day.
    if (roll(2) === 0) blows[KINDS[roll(KINDS.length)]!] = 400;
    return {
      blows,
      slow: roll(6) === 0 ? KINDS[roll(KINDS.length)]! : null,
      outage: roll(3) === 0 ? drawOutage() : null,
      lost: roll(3) === 0 ? 500 : 0,
      doubled: roll(3) === 0 ? 1_000 : 50,
      late: roll(3) === 0 ? 2_000 : 100,
    };
  };
  return {
    blow(kind, name) {
      const share = isRare(kind, name) && day.blows[kind] > 0 ? RARE_BLOWS : 0;
      return roll(OUT_OF) < Math.max(day.blows[kind], share) ? BLOWS[roll(BLOWS.length)]! : "none";
    },
    delayMs(kind, name) {
      const [least, most] = USUAL_MS[kind];
      see(name);
      const usual = least + roll(most - least);
      if (day.slow !== kind) return usual;
      // Now and then so slow that a lease passes.
      return roll(40) === 0 ? usual + roll(2 * MINUTE_MS) : usual + roll(2 * SECOND_MS);
    },
    lateMs: (kind, name) =>
      isRare(kind, name) && day.blows[kind] > 0 && roll(OUT_OF) < RARELY_LATE ? roll(LATE_MS) : 0,
    isFair: (kind) => day.slow !== kind && day.blows[kind] < 100,
    platformFault(isSignIn) {
      const { outage } = day;
      if (outage === null || (isSignIn && !outage.hitsSignIn)) return null;
      if (outage.from === null && outage.callsBefore-- === 0) outage.from = now();
      return isOut(day) ? outage.fault : null;
    },
    arrivals() {
      const delay = () => (roll(OUT_OF) < day.late ? roll(30 * MINUTE_MS) : roll(SECOND_MS));
      if (roll(OUT_OF) < day.lost) return [];
      return roll(OUT_OF) < day.doubled ? [delay(), delay()] : [delay()];
    },
    turn: () => {
      const next = draw();
      day = isOut(day) ? { ...next, outage: day.outage } : next;
    },
    calm: () => {
      day = CALM;
    },
  };
}
