import { expect, test } from "vitest";
import { openByteReader } from "./byte-reader.ts";

/** A body of these bytes in pieces of three. */
function bodyOf(length: number) {
  const state = { isCancelled: false };
  let at = 0;
  const body = new ReadableStream({
    type: "bytes",
    pull(controller) {
      if (at >= length) {
        controller.close();
        (controller as ReadableByteStreamController).byobRequest?.respond(0);
        return;
      }
      controller.enqueue(Uint8Array.from({ length: Math.min(3, length - at) }, () => ++at));
    },
    cancel() {
      state.isCancelled = true;
    },
  });
  return { reader: openByteReader(body, "the object"), state };
}

test("a body is read in pieces of the wanted lengths", async () => {
  const { reader, state } = bodyOf(9);
  expect([...(await reader.readExactly(new Uint8Array(8), 5))]).toEqual([1, 2, 3, 4, 5]);
  expect([...(await reader.readExactly(new Uint8Array(8), 4))]).toEqual([6, 7, 8, 9]);
  await reader.end();
  expect(state.isCancelled).toBe(false);
});

test("a body that goes on after its end is cancelled", async () => {
  const { reader, state } = bodyOf(20);
  await reader.readExactly(new Uint8Array(8), 5);
  await reader.end();
  expect(state.isCancelled).toBe(true);
});

test("a body that ends early is truncated", async () => {
  const { reader } = bodyOf(7);
  await reader.readExactly(new Uint8Array(8), 5);
  await expect(reader.readExactly(new Uint8Array(8), 3)).rejects.toMatchObject({
    kind: "truncated",
    message: "the object ends too early",
  });
});

test("a reader that stops early releases its body, also one that has failed", async () => {
  const { reader, state } = bodyOf(20);
  await reader.readExactly(new Uint8Array(8), 5);
  await reader.cancel();
  expect(state.isCancelled).toBe(true);
  const failed = new ReadableStream({
    type: "bytes",
    pull: (controller) => controller.error(new Error("torn")),
  });
  const broken = openByteReader(failed, "the object");
  await expect(broken.readExactly(new Uint8Array(8), 3)).rejects.toThrow("torn");
  await expect(broken.cancel()).resolves.toBeUndefined();
});
