import { randomBytes } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { MOST_PLAIN_BYTES } from "./limits.ts";
import { decodeNames, encodeNames, type IndexedName, matchNames, searchedWords } from "./name-index.ts";

const named = (title: string): IndexedName => ({ kind: "card", title, path: `cards/${title}/card.json` });
const titlesFor = (text: string, titles: readonly string[], limit = 9) =>
  matchNames(titles.map(named), searchedWords(text), limit).names.map(({ title }) => title);

test("an index reads back as it was written, and equal names give equal bytes", () => {
  const name = fc.record({ kind: fc.string(), title: fc.string({ unit: "grapheme" }), path: fc.string() });
  fc.assert(
    fc.property(fc.array(name), (names) => {
      const { bytes, count } = encodeNames(names);
      expect(count).toBe(names.length);
      expect(decodeNames(bytes)).toEqual(names);
      expect(encodeNames([...names]).bytes).toEqual(bytes);
    }),
  );
});

test("what does not fit into the bytes is left out from the end", () => {
  const names = Array.from({ length: 2_000 }, () => named(randomBytes(30).toString("base64url")));
  const { bytes, count } = encodeNames(names, 32 * 1024);
  expect(bytes.length).toBeLessThanOrEqual(32 * 1024);
  expect(bytes.length).toBeGreaterThan(24 * 1024);
  expect(decodeNames(bytes)).toEqual(names.slice(0, count));
  expect(encodeNames(names, 8).count).toBe(0);
});

test("names that deflate well are left out too when they would fill a reader's memory", () => {
  const deep = "a/".repeat(2_000);
  const names = Array.from({ length: 5_000 }, (_, at) => ({ ...named(`${at}`), path: `${deep}${at}` }));
  const { bytes, count } = encodeNames(names);
  expect(count).toBe(521);
  expect(inflateRawSync(bytes).length).toBeLessThanOrEqual(MOST_PLAIN_BYTES);
  expect(decodeNames(bytes)).toEqual(names.slice(0, count));
  const text = inflateRawSync(encodeNames([named("a")]).bytes).toString();
  expect(decodeNames(deflateRawSync(text + " ".repeat(9)))).toEqual([named("a")]);
  expect(() => decodeNames(deflateRawSync(text + " ".repeat(MOST_PLAIN_BYTES)))).toThrow("unknown form");
});

test("bytes of another form are refused", () => {
  expect(() => decodeNames(Uint8Array.of(1, 2, 3))).toThrow("unknown form");
  expect(() => decodeNames(encodeNames([named("a")]).bytes.subarray(0, 20))).toThrow("unknown form");
});

test("a name must contain every word, anywhere, without regard to case and accents", () => {
  const titles = ["The login button", "LOGIN: Größe des Buttons", "Café", "Straße", "ログイン画面", "ﬁle"];
  expect(titlesFor("login button", titles)).toEqual(["LOGIN: Größe des Buttons", "The login button"]);
  expect(titlesFor("GROSSE", titles)).toEqual([]);
  expect(titlesFor("grö", titles)).toEqual(["LOGIN: Größe des Buttons"]);
  expect(titlesFor("cafe", titles)).toEqual(["Café"]);
  expect(titlesFor("CAFÉ", titles)).toEqual(["Café"]);
  expect(titlesFor("グイン", titles)).toEqual(["ログイン画面"]);
  expect(titlesFor("file", titles)).toEqual(["ﬁle"]);
  expect(titlesFor("%", titles)).toEqual([]);
});

test("names that begin with the first word come first, a file by its own name", () => {
  const titles = ["the plan", "src/planner.ts", "planes/wing.ts", "Plan B", "no"];
  expect(titlesFor("plan", titles)).toEqual(["src/planner.ts", "planes/wing.ts", "Plan B", "the plan"]);
  expect(matchNames(titles.map(named), ["plan"], 2)).toMatchObject({ hasMore: true, names: { length: 2 } });
});
