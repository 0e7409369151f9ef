import { expect, test } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { createBodyReader, startDeadline } from "./body-reader.ts";

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A body that gives these pieces, each after a delay, and then stays open or ends. */
function bodyOf(pieces: readonly [afterMs: number, bytes: number][], { isEndless = false } = {}) {
  const waiting = [...pieces];
  const state = { isCancelled: false };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = waiting.shift();
      if (next === undefined) return isEndless ? wait(10_000) : controller.close();
      await wait(next[0]);
      controller.enqueue(new Uint8Array(next[1]));
    },
    cancel: () => {
      state.isCancelled = true;
    },
  });
  return { body, state };
}

test("a body is read piece by piece to its end", async () => {
  const reader = createBodyReader(
    bodyOf([
      [0, 5],
      [0, 7],
    ]).body,
    1_000,
  );
  expect([(await reader.read())?.length, (await reader.read())?.length]).toEqual([5, 7]);
  expect(await reader.read()).toBeNull();
});

test("each byte gives the next one the whole time again", async () => {
  const steady = Array.from({ length: 6 }, (): [number, number] => [60, 1]);
  const reader = createBodyReader(bodyOf(steady).body, 150);
  for (const _ of steady) expect(await reader.read()).toHaveLength(1);
  expect(await reader.read()).toBeNull();
});

test("silence is an error, which releases the connection", async () => {
  const { body, state } = bodyOf([[0, 3]], { isEndless: true });
  const reader = createBodyReader(body, 40);
  await reader.read();
  await expect(reader.read()).rejects.toMatchObject({
    kind: "unavailable",
    message: "The git server sent nothing for 1 s.",
  });
  expect(state.isCancelled).toBe(true);
});

test("with an expected progress a trickle is an error too, but the end of the body is not", async () => {
  const trickle = Array.from({ length: 20 }, (): [number, number] => [30, 10]);
  const slow = createBodyReader(bodyOf(trickle).body, 150);
  slow.expectProgress(1_000);
  const drain = async () => {
    let bytes = 0;
    for (let chunk = await slow.read(); chunk !== null; chunk = await slow.read()) bytes += chunk.length;
    return bytes;
  };
  await expect(drain()).rejects.toMatchObject({ kind: "unavailable" });
  const enough = createBodyReader(bodyOf(trickle.slice(0, 12)).body, 30_000);
  enough.expectProgress(20);
  for (const _ of trickle.slice(0, 12)) await enough.read();
  expect(await enough.read()).toBeNull();
});

test("a broken connection is unavailable with its cause; an error of our own passes unchanged", async () => {
  const failing = (cause: unknown) =>
    createBodyReader(new ReadableStream({ pull: (controller) => controller.error(cause) }), 1_000);
  const torn = new TypeError("torn");
  await expect(failing(torn).read()).rejects.toMatchObject({
    kind: "unavailable",
    message: "The connection to the git server broke.",
    cause: torn,
  });
  const own = new ConnectorError("rate-limited", "wait");
  await expect(failing(own).read()).rejects.toBe(own);
});

test("a reader that is no longer needed releases its connection, also after an error", async () => {
  const { body, state } = bodyOf([], { isEndless: true });
  await createBodyReader(body, 1_000).cancel();
  expect(state.isCancelled).toBe(true);
  const failed = createBodyReader(
    new ReadableStream({ pull: (controller) => controller.error(new Error("torn")) }),
    1_000,
  );
  await failed.read().catch(() => undefined);
  await expect(failed.cancel()).resolves.toBeUndefined();
});

test("a deadline names its time in whole seconds, can be stopped and restarted", async () => {
  await expect(startDeadline(5).expired).rejects.toMatchObject({
    kind: "unavailable",
    message: "The git server sent nothing for 1 s.",
  });
  const never = startDeadline(20);
  never.stop();
  const later = startDeadline(60);
  let isOver = false;
  later.expired.catch(() => {
    isOver = true;
  });
  await wait(40);
  later.restart();
  await wait(40);
  expect(isOver).toBe(false);
  await expect(later.expired).rejects.toThrow(ConnectorError);
  await expect(Promise.race([never.expired, wait(1).then(() => "still open")])).resolves.toBe("still open");
});
