import fc from "fast-check";
import { expect, test } from "vitest";
import { parseStrictJson } from "./strict-json.ts";

test("plain JSON is parsed as by JSON.parse", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8, noUnicodeString: false }), (text) => {
      fc.pre(!text.includes("__proto__"));
      let isDuplicate = false;
      try {
        expect(parseStrictJson(text)).toEqual(JSON.parse(text));
      } catch (error) {
        isDuplicate = /twice/.test(String(error));
        expect(isDuplicate).toBe(true);
      }
    }),
  );
});

test.each([
  ['{"a":1,"a":2}', /"a" is given twice/],
  ['{"a":1,"\\u0061":2}', /given twice/],
  ['{"x":{"b":1,"c":2,"b":3}}', /given twice/],
  ['{"__proto__":{"isAdmin":true}}', /__proto__/],
  ['{"\\u005f_proto__":1}', /__proto__/],
  [`${"[".repeat(33)}${"]".repeat(33)}`, /32 levels/],
  ["[".repeat(1_000_000), /32 levels/],
  ['{"a":1e', /JSON/],
  ['"abc', /string/],
  ["", /JSON/],
  ["}", /JSON/],
  ['{"a":"x\\"}', /string/],
])("%.40s is refused with a sentence", (text, sentence) => {
  expect(() => parseStrictJson(text)).toThrow(sentence);
});

test.each(['{"a":{"b":1},"c":{"b":1}}', '[{"b":1},{"b":1}]', '{"a":"a\\":","b":"a"}', '{"a":["a","a"]}'])(
  "%s has no duplicate keys",
  (text) => {
    expect(parseStrictJson(text)).toEqual(JSON.parse(text));
  },
);
