import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readPhoto } from "./photo-format.ts";

const dataUrl = (type: string, bytes: Uint8Array) =>
  `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;

function verdict(url: string) {
  try {
    return readPhoto(url).type;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

function chunk(name: string, data: Uint8Array = new Uint8Array()) {
  const out = Buffer.alloc(12 + data.length);
  out.writeUInt32BE(data.length, 0);
  out.write(name, 4, "latin1");
  out.set(data, 8);
  return out;
}

function png({ width = 2, height = 2, padding = 0 } = {}) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    ...(padding > 0 ? [chunk("tEXt", Buffer.alloc(padding - 12, "a"))] : []),
    chunk("IDAT", deflateSync(Buffer.alloc(14))),
    chunk("IEND"),
  ]);
}

/** A minimal JPEG: quantisation, frame, scan, end. */
function jpeg({ width = 2, height = 2 } = {}) {
  const segment = (marker: number, data: number[]) => [0xff, marker, 0, data.length + 2, ...data];
  return Buffer.from([
    ...[0xff, 0xd8],
    ...segment(0xe0, [...Buffer.from("JFIF\0"), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    ...segment(0xdb, [0, ...Array<number>(64).fill(1)]),
    ...segment(0xc0, [8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0]),
    ...segment(0xda, [1, 1, 0, 0, 63, 0]),
    ...[0x12, 0x34, 0xff, 0x00, 0x56],
    ...[0xff, 0xd9],
  ]);
}

function bmp({ width = 2, height = -2 } = {}) {
  const out = Buffer.alloc(54 + 16);
  out.write("BM", 0, "latin1");
  out.writeUInt32LE(out.length, 2);
  out.writeUInt32LE(54, 10);
  out.writeUInt32LE(40, 14);
  out.writeInt32LE(width, 18);
  out.writeInt32LE(height, 22);
  out.writeUInt16LE(1, 26);
  out.writeUInt16LE(24, 28);
  return out;
}

const html = Buffer.from("<script>alert(1)</script>");
const gif = Buffer.from("47494638396101000100800000000000ffffff2c00000000010001000002024401003b", "hex");

test.each([
  ["image/png", png(), "image/png"],
  ["image/jpeg", jpeg(), "image/jpeg"],
  ["image/jpg", jpeg(), "image/jpeg"],
  ["image/bmp", bmp(), "image/bmp"],
  ["IMAGE/PNG", png(), "image/png"],
])("[A-346] a valid photo of type %s is accepted", (type, bytes, expected) => {
  const read = readPhoto(dataUrl(type, bytes));
  expect(read.type).toBe(expected);
  expect(Buffer.from(read.bytes)).toEqual(bytes);
});

test.each([
  ["a gif", dataUrl("image/gif", gif)],
  ["a gif that says it is a png", dataUrl("image/png", gif)],
  ["an svg", dataUrl("image/svg+xml", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"))],
  ["an svg that says it is a png", dataUrl("image/png", Buffer.from("<svg/>"))],
  ["a webp", dataUrl("image/webp", Buffer.from("RIFF....WEBP"))],
  ["a png that says it is a jpeg", dataUrl("image/jpeg", png())],
  ["a jpeg that says it is a png", dataUrl("image/png", jpeg())],
  ["a bmp that says it is a png", dataUrl("image/png", bmp())],
  ["a page", dataUrl("text/html", html)],
  ["a png with a page behind it", dataUrl("image/png", Buffer.concat([png(), html]))],
  ["a jpeg with a page behind it", dataUrl("image/jpeg", Buffer.concat([jpeg(), html]))],
  [
    "a jpeg with an archive behind its end",
    dataUrl("image/jpeg", Buffer.concat([jpeg(), html, Buffer.from([0xff, 0xd9])])),
  ],
  ["a bmp with a page behind it", dataUrl("image/bmp", Buffer.concat([bmp(), html]))],
  ["a page behind the beginning of a png", dataUrl("image/png", Buffer.concat([png().subarray(0, 8), html]))],
  ["a png without image data", dataUrl("image/png", Buffer.concat([png().subarray(0, 33), chunk("IEND")]))],
  ["a png cut short", dataUrl("image/png", png().subarray(0, -5))],
  ["a jpeg cut short", dataUrl("image/jpeg", jpeg().subarray(0, -1))],
  ["a jpeg without a frame", dataUrl("image/jpeg", Buffer.from([0xff, 0xd8, 0xff, 0xd9]))],
  ["a bmp cut short", dataUrl("image/bmp", bmp().subarray(0, -1))],
  ["an image of no width", dataUrl("image/png", png({ width: 0 }))],
  ["nothing", "data:image/png;base64,"],
  ["a truncated data URL", dataUrl("image/png", png()).slice(0, -3)],
  ["text that is not base 64", "data:image/png;base64,%%%%"],
  [
    "base 64 with line breaks",
    `data:image/png;base64,${Buffer.from(png()).toString("base64").slice(0, 8)}\n`,
  ],
  ["a parameter before the data", dataUrl("image/png;charset=utf-8", png())],
  ["an address", "https://example.com/a.png"],
  ["an empty text", ""],
])("%s is refused", (_name, url) => {
  expect(verdict(url)).toBe("err.photo.format");
});

test("[A-347] a photo of exactly 1 MB is accepted, one byte more is rejected", () => {
  const exact = png({ padding: 1_000_000 - png().length });
  expect(exact).toHaveLength(1_000_000);
  expect(verdict(dataUrl("image/png", exact))).toBe("image/png");
  const larger = png({ padding: 1_000_001 - png().length });
  expect(larger).toHaveLength(1_000_001);
  expect(verdict(dataUrl("image/png", larger))).toBe("err.photo.size");
});

test("a small file that decodes to too many pixels is rejected", () => {
  expect(verdict(dataUrl("image/png", png({ width: 20_000, height: 20_000 })))).toBe("err.photo.size");
  expect(verdict(dataUrl("image/jpeg", jpeg({ width: 20_000, height: 20_000 })))).toBe("err.photo.size");
  expect(verdict(dataUrl("image/bmp", bmp({ width: 20_000, height: 20_000 })))).toBe("err.photo.size");
});

test("any bytes are either a photo or rejected, without a crash", () => {
  const seeds = [png(), jpeg(), bmp()];
  const damaged = fc
    .tuple(fc.constantFrom(...seeds), fc.nat(), fc.nat(255), fc.uint8Array({ maxLength: 20 }))
    .map(([seed, at, byte, tail]) => {
      const bytes = Buffer.from(seed);
      bytes[at % bytes.length] = byte;
      return Buffer.concat([bytes, tail]);
    });
  const types = fc.constantFrom("image/png", "image/jpeg", "image/bmp");
  fc.assert(
    fc.property(types, fc.oneof(damaged, fc.uint8Array({ maxLength: 200 })), (type, bytes) => {
      expect([type, "err.photo.format", "err.photo.size"]).toContain(verdict(dataUrl(type, bytes)));
    }),
    { numRuns: 3_000 },
  );
});
