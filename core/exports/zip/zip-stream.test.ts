import fc from "fast-check";
import { expect, test } from "vitest";
import { lend } from "#tests/harness/lend.ts";
import { planZip, zipRange } from "./layout.ts";
import { zipStream } from "./zip-stream.ts";

test("reused chunks reach a download unchanged, in any size", async () => {
  const plain = new Uint8Array(3_000_000).map((_, i) => (i * 31 + (i >>> 13)) & 255);
  const facts = { method: 0 as const, crc32: 0, compressedSize: plain.length, size: plain.length, mtime: 0 };
  const layout = planZip(["one", "two"].map((path) => ({ path, ...facts })));
  const size = fc.oneof(fc.integer({ min: 1_000, max: 1_048_576 }), fc.constantFrom(524_288, 1_048_576));
  await fc.assert(
    fc.asyncProperty(fc.array(size, { minLength: 1, maxLength: 4 }), async (sizes) => {
      const chunks = zipRange(layout, { from: 0, to: layout.totalBytes }, () => lend(plain, sizes));
      const archive = await new Response(zipStream(chunks, layout.totalBytes)).bytes();
      expect(archive.length).toBe(layout.totalBytes);
      for (const end of [layout.offsets[1]!, layout.offsets[2]!]) {
        expect(Buffer.compare(archive.subarray(end - plain.length, end), plain)).toBe(0);
      }
    }),
    { numRuns: 25 },
  );
});
