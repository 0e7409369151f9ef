import { expect, test } from "vitest";
import { cutOf, middleSquare, PHOTO_SIDE, photoRefusal } from "./photo.ts";

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a]);
const gif = new TextEncoder().encode("GIF89a");

test("[A-346] PNG, JPEG and BMP files are recognised by their first bytes", () => {
  for (const head of [png, new Uint8Array([0xff, 0xd8, 0xff, 0xe0]), new TextEncoder().encode("BM6")]) {
    expect(photoRefusal({ size: 1000, head })).toBeNull();
  }
});

test("[A-445] any other file, or an empty one, is refused with the spec's sentence", () => {
  const sentence = "Uploaded image must be one of the following formats: PNG, JPG, JPEG and BMP";
  expect(photoRefusal({ size: 1000, head: gif })).toBe(sentence);
  expect(photoRefusal({ size: 0, head: new Uint8Array() })).toBe(sentence);
});

test("[A-347] exactly 1 MB is accepted, one byte more is not", () => {
  expect(photoRefusal({ size: 1_000_000, head: png })).toBeNull();
  expect(photoRefusal({ size: 1_000_001, head: png })).toBe("Please upload a photo smaller than 1 Mb");
});

test("the initial square is the largest one, centred", () => {
  expect(middleSquare({ width: 400, height: 200 })).toEqual({ x: 25, y: 0, width: 50, height: 100 });
  expect(middleSquare({ width: 200, height: 800 })).toEqual({ x: 0, y: 37.5, width: 100, height: 25 });
});

test("the cropped photo is square, inside the image, and at most 512 pixels wide", () => {
  const large = { width: 3000, height: 2000 };
  const cut = cutOf(middleSquare(large), large);
  expect(cut).toEqual({ x: 500, y: 0, side: 2000, drawn: PHOTO_SIDE });
  const small = { width: 101, height: 77 };
  const corner = cutOf({ x: 60.2, y: 47.7, width: 39.8, height: 52.3 }, small);
  expect(corner.x + corner.side).toBeLessThanOrEqual(small.width);
  expect(corner.y + corner.side).toBeLessThanOrEqual(small.height);
  expect(corner.drawn).toBe(corner.side);
});
