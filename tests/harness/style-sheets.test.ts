import { expect, test } from "vitest";
import { contrastOf, styleColoursOf, styleRulesOf } from "./style-sheets.ts";

const SHEET = `
/* a { color: red; } */
@import "./other.css";
:root[data-theme="dark"] { --page: #123; }
:root { --page: light-dark(#fff, var(--deep)); --deep: #000; --veil: rgb(255 255 255 / 0.5); --gap: 4px }
@media (max-width: 599px) {
  .card, .note { color: var(--page); --hue: #777; border: var(--gap) solid var(--hue) }
}
.other { --hue: #000; background: linear-gradient(45deg, var(--page) 10%, #abc) }
.lost { color: var(--paper); }`;
const rules = styleRulesOf(SHEET);
const colours = styleColoursOf(rules);

test("a style sheet is parsed into rules with their surrounding at-rules", () => {
  expect(rules.map(({ selector }) => selector)).toEqual([
    ':root[data-theme="dark"]',
    ":root",
    "@media (max-width: 599px) .card, .note",
    "@media (max-width: 599px)",
    ".other",
    ".lost",
  ]);
  expect(rules[2]?.declarations).toEqual([
    ["color", "var(--page)"],
    ["--hue", "#777"],
    ["border", "var(--gap) solid var(--hue)"],
  ]);
});

test("a token has its theme's value, light or dark", () => {
  expect(colours.resolve("--page", { theme: "light", scheme: "light" })).toEqual([255, 255, 255, 1]);
  expect(colours.resolve("--page", { theme: "light", scheme: "dark" })).toEqual([0, 0, 0, 1]);
  expect(colours.resolve("--page", { theme: "dark", scheme: "light" })).toEqual([0x11, 0x22, 0x33, 1]);
  expect(() => colours.resolve("--gap", { theme: "dark", scheme: "light" })).toThrow("is no colour");
});

test("a value lists its tokens and colours, but no lengths", () => {
  expect(colours.termsIn("linear-gradient(45deg, var(--page) 10%, #abc), var(--gap)")).toEqual([
    "--page",
    "#abc",
  ]);
  expect(colours.termsIn("1px solid light-dark(var(--page), red)")).toEqual(["light-dark(var(--page), red)"]);
  expect(colours.termsIn("var(--hue)")).toEqual([]);
  expect(colours.termsIn("var(--paper, white)")).toEqual(["white"]);
  expect(colours.termsIn("var(--paper)")).toEqual(["--paper"]);
});

test("a property set by several rules has each of their values", () => {
  const look = { theme: "light", scheme: "light" } as const;
  expect(colours.resolveAll("color-mix(in srgb, var(--hue) 50%, var(--page))", look)).toEqual([
    [187, 187, 187, 1],
    [127.5, 127.5, 127.5, 1],
  ]);
});

test("contrast follows WCAG, including transparency", () => {
  const look = { theme: "light", scheme: "light" } as const;
  const of = (term: string) => colours.resolve(term, look);
  expect(contrastOf(of("#000"), of("#fff"))).toBe(21);
  expect(contrastOf(of("#777"), of("#fff"))).toBeCloseTo(4.478, 3);
  // White at 50% on black is #808080.
  expect(contrastOf(of("#000"), of("--veil"), of("#000"))).toBeCloseTo(
    contrastOf(of("#000"), of("#808080")),
    1,
  );
  expect(contrastOf(of("--veil"), of("#000"))).toBeCloseTo(contrastOf(of("#808080"), of("#000")), 1);
});
