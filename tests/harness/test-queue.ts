import type { JobMessage } from "#core/jobs/index.ts";

/** A message that waits: from when it may be delivered, and how often it was tried. */
export type Letter = { body: JobMessage; at: number; attempts: number };

/**
 * The queues of a test: messages wait here until the test delivers them, in whatever order and number it likes.
 * `policy` sees every message as it is sent and answers what really arrives.
 */
export type TestQueue = {
  letters: Letter[];
  policy: (letter: Letter) => Letter[];
  send: (bodies: readonly JobMessage[], delaySeconds: number) => void;
  /** Takes the first message that may be delivered by `now`; null without one. */
  take: (now: number) => Letter | null;
  /** When the next message may be delivered; null without one. */
  nextAt: () => number | null;
};

/** Opens empty queues whose messages arrive once and in order. */
export function openTestQueue(clock: { now(): number }): TestQueue {
  const queue: TestQueue = {
    letters: [],
    policy: (letter) => [letter],
    send(bodies, delaySeconds) {
      for (const body of bodies) {
        // Through JSON, as real queues do it.
        const copy = JSON.parse(JSON.stringify(body)) as JobMessage;
        queue.letters.push(
          ...queue.policy({ body: copy, at: clock.now() + delaySeconds * 1_000, attempts: 0 }),
        );
      }
    },
    take(now) {
      const index = queue.letters.findIndex((letter) => letter.at <= now);
      return index === -1 ? null : queue.letters.splice(index, 1)[0]!;
    },
    nextAt: () => (queue.letters.length === 0 ? null : Math.min(...queue.letters.map(({ at }) => at))),
  };
  return queue;
}
