import { expect, test } from "vitest";
import { withByteBodies } from "./byte-bodies.ts";

const content = new TextEncoder().encode("seven parts");
/** A bucket as Node sees it: its bodies are plain streams. */
const proxied = {
  get: async (key: string) =>
    key === "there"
      ? { size: 11, etag: "e", body: new ReadableStream(), arrayBuffer: async () => content.slice().buffer }
      : null,
  head: async (key: string) => ({ key }),
} as unknown as R2Bucket;

test("a body can be read into a buffer of the reader's own", async () => {
  const found = await withByteBodies(proxied).get("there");
  const reader = found!.body.getReader({ mode: "byob" });
  const { value } = await reader.read(new Uint8Array(64));
  expect(new TextDecoder().decode(value)).toBe("seven parts");
  expect(found).toMatchObject({ size: 11, etag: "e" });
  expect(await (await withByteBodies(proxied).get("there"))!.text()).toBe("seven parts");
});

test("what is missing stays missing, and the other calls pass", async () => {
  expect(await withByteBodies(proxied).get("gone")).toBeNull();
  expect(await withByteBodies(proxied).head("there")).toEqual({ key: "there" });
});
