import type { Fate } from "./weather.ts";

/**
 * The simulated time. Everything that happens is an event with a time; between two events the code that the first one
 * woke runs until it waits again. So nothing runs at once, the order is a function of the seed, and no time passes that
 * nobody simulates.
 */

/**
 * One invocation of the Worker, or an operator's command. When its isolate or process dies, none of its code runs any
 * more.
 */
export type Life = {
  readonly name: string;
  isDead: boolean;
  /** What befalls its calls beside the weather. */
  readonly fate?: Fate;
};

type Happening = { at: number; order: number; life: Life | null; act: () => void };

export type Scheduler = {
  now(): number;
  /** The invocation whose code runs now. */
  current(): Life | null;
  /** Lets something happen after a delay, unless the life has ended by then. Returns what withdraws it. */
  after(delayMs: number, life: Life | null, act: () => void): () => void;
  /** Runs everything that happens until a time. */
  runUntil(at: number): Promise<void>;
  /** Runs until the promise settles. @throws Error when nothing is left that could settle it */
  runWhile<T>(promise: Promise<T>): Promise<T>;
};

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Opens a scheduler at a time, epoch ms. */
export function openScheduler(startAt: number): Scheduler {
  let now = startAt;
  let count = 0;
  let running: Life | null = null;
  const heap: Happening[] = [];

  const step = async () => {
    const next = pop(heap)!;
    if (next.life?.isDead) return;
    now = Math.max(now, next.at);
    running = next.life;
    next.act();
    await settle();
    running = null;
  };
  return {
    now: () => now,
    current: () => running,
    after(delayMs, life, act) {
      const happening = { at: now + Math.max(0, Math.ceil(delayMs)), order: count++, life, act };
      push(heap, happening);
      return () => {
        happening.act = () => {};
      };
    },
    async runUntil(at) {
      await settle();
      while (heap.length > 0 && heap[0]!.at <= at) await step();
      now = Math.max(now, at);
    },
    async runWhile(promise) {
      let isSettled = false;
      promise.then(
        () => {
          isSettled = true;
        },
        () => {
          isSettled = true;
        },
      );
      await settle();
      while (!isSettled) {
        if (heap.length === 0)
          throw new Error("The simulation waits for something that nothing brings about.");
        await step();
      }
      return promise;
    },
  };
}

const isBefore = (one: Happening, other: Happening) =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

function push(heap: Happening[], added: Happening): void {
  let at = heap.push(added) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isBefore(added, heap[parent]!)) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = added;
}

function pop(heap: Happening[]): Happening | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (heap.length === 0 || last === undefined) return first;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
    if (isBefore(last, heap[child]!)) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = last;
  return first;
}
