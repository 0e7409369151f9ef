import type { JobMessage } from "#core/jobs/index.ts";

/** A waiting message: when it may be delivered, and how often delivery was tried. */
export type Letter = { body: JobMessage; at: number; attempts: number };

/**
 * The queues of a test. Messages wait until the test delivers them, in any order and number. `policy` receives every
 * sent message and returns the messages that arrive.
 */
export type TestQueue = {
  letters: Letter[];
  policy: (letter: Letter) => Letter[];
  send: (bodies: readonly JobMessage[], delaySeconds: number) => void;
  /** Takes the first message that is due by `now`. Null when there is none. */
  take: (now: number) => Letter | null;
  /** When the next message is due. Null when there is none. */
  nextAt: () => number | null;
};

/** Opens empty queues that deliver each message once and in order. */
export function openTestQueue(clock: { now(): number }): TestQueue {
  const queue: TestQueue = {
    letters: [],
    policy: (letter) => [letter],
    send(bodies, delaySeconds) {
      for (const body of bodies) {
        // Serialise to JSON, as real queues do.
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
