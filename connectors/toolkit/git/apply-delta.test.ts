import { expect, test } from "vitest";
import { applyDelta, readDeltaHeader, runDelta } from "./apply-delta.ts";
import { GitPackError } from "./git-pack-error.ts";
import { sized } from "./test-packs.ts";

/** Runs commands against a base and returns the pieces they emit, as `start+length`. */
function run(base: Uint8Array, commands: readonly number[], resultSize: number): string[] {
  const delta = Uint8Array.from([...sized(base.length), ...sized(resultSize), ...commands]);
  const pieces: string[] = [];
  runDelta(base, delta, readDeltaHeader(delta, 7), 7, (source, start, length) =>
    pieces.push(`${source === base ? "base" : "delta"} ${start}+${length}`),
  );
  return pieces;
}

const refused = (work: () => unknown) =>
  expect(work).toThrow(expect.objectContaining({ code: "malformed", offset: 7 }));

test("the sizes at the start of a delta are read up to the largest safe number", () => {
  const header = (bytes: readonly number[]) => readDeltaHeader(Uint8Array.from(bytes), 7);
  expect(header([...sized(300), ...sized(70_000), 9])).toEqual({
    baseSize: 300,
    resultSize: 70_000,
    length: 5,
  });
  const most = Number.MAX_SAFE_INTEGER;
  expect(header([...sized(most), ...sized(most)])).toMatchObject({ baseSize: most, resultSize: most });
  refused(() => header([...sized(most + 1), 1]));
  refused(() => header([]));
  refused(() => header([5]));
  refused(() => header([5, 0x80]));
});

test("both sizes together take at most twenty bytes, however they are padded", () => {
  const padded = (length: number) => [...Array.from({ length: length - 1 }, () => 0x80), 0];
  const header = (bytes: readonly number[]) => readDeltaHeader(Uint8Array.from(bytes), 7);
  expect(header([...padded(10), ...padded(10)]).length).toBe(20);
  refused(() => header([...padded(10), ...padded(11)]));
});

test("each bit of a copy announces one byte of its position or length", () => {
  const base = new Uint8Array(17 * 1024 * 1024);
  const whole = 0x10000;
  const copy = (flags: number, ...bytes: number[]) => run(base, [0x80 | flags, ...bytes], whole)[0];
  expect(copy(0)).toBe("base 0+65536");
  expect(copy(0x01, 3)).toBe("base 3+65536");
  expect(copy(0x02, 3)).toBe("base 768+65536");
  expect(copy(0x04, 3)).toBe("base 196608+65536");
  expect(copy(0x08, 1)).toBe("base 16777216+65536");
  const sizedCopy = (length: number, flags: number, ...bytes: number[]) =>
    run(base, [0x80 | flags, ...bytes], length)[0];
  expect(sizedCopy(3, 0x10, 3)).toBe("base 0+3");
  expect(sizedCopy(768, 0x20, 3)).toBe("base 0+768");
  expect(sizedCopy(196_608, 0x40, 3)).toBe("base 0+196608");
  expect(sizedCopy(0x010506, 0x7f, 4, 3, 2, 1, 6, 5, 1)).toBe("base 16909060+66822");
});

test("a copy or an insertion ends where its base, the delta and the result end, and not behind", () => {
  const base = new Uint8Array(100);
  expect(run(base, [0x91, 40, 60], 60)).toEqual(["base 40+60"]);
  refused(() => run(base, [0x91, 41, 60], 60));
  refused(() => run(base, [0x90, 61], 60));
  refused(() => run(base, [0x90, 59], 60));
  expect(run(base, [0x90, 2, 2, 65, 66], 4)).toEqual(["base 0+2", "delta 5+2"]);
  refused(() => run(base, [0x90, 2, 2, 65, 66], 3));
  refused(() => run(base, [0x90, 2, 2, 65], 4));
  refused(() => run(base, [0x90, 2, 2, 65, 66], 5));
  refused(() => run(base, [0], 0));
});

test("a command that lacks its last byte is refused, whichever byte that is", () => {
  const base = new Uint8Array(70_000);
  for (const flag of [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40]) {
    refused(() => run(base, [0x80 | flag], 0x10000));
  }
});

test("a delta for a base of another size is refused", () => {
  const delta = Uint8Array.of(3, 1, 1, 65);
  const header = readDeltaHeader(delta, 7);
  expect(Buffer.from(applyDelta(new Uint8Array(3), delta, header, 7)).toString()).toBe("A");
  for (const length of [2, 4]) {
    expect(() => applyDelta(new Uint8Array(length), delta, header, 7)).toThrow(GitPackError);
  }
});

test("short and long pieces are put together in order", () => {
  const base = Buffer.from(Array.from({ length: 120 }, (_, i) => 32 + (i % 90)));
  const commands = [0x91, 5, 47, 3, 1, 2, 3, 0x91, 60, 48, 0x91, 0, 49];
  const delta = Uint8Array.from([...sized(120), ...sized(147), ...commands]);
  const made = applyDelta(base, delta, readDeltaHeader(delta, 7), 7);
  const expected = [base.subarray(5, 52), Buffer.of(1, 2, 3), base.subarray(60, 108), base.subarray(0, 49)];
  expect(Buffer.from(made).equals(Buffer.concat(expected))).toBe(true);
});
