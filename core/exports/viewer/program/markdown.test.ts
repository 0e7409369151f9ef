import { expect, test } from "vitest";
import { parseInlines, parseMarkdown } from "./markdown.ts";

test.each([
  ["# Title #", [{ tag: "heading", level: 1, inlines: ["Title"] }]],
  [
    "one\ntwo\n\nthree",
    [
      { tag: "p", inlines: ["one\ntwo"] },
      { tag: "p", inlines: ["three"] },
    ],
  ],
  ["```js\na < b\n```", [{ tag: "pre", text: "a < b" }]],
  ["```\nnever closed", [{ tag: "pre", text: "never closed" }]],
  ["> said\n> so", [{ tag: "quote", blocks: [{ tag: "p", inlines: ["said\nso"] }] }]],
  ["---", [{ tag: "rule" }]],
  [
    "a | b\n--|--\n1 | 2",
    [
      {
        tag: "table",
        rows: [
          [["a"], ["b"]],
          [["1"], ["2"]],
        ],
      },
    ],
  ],
  ["| a \\| b |\n| --- |\n| 1 |", [{ tag: "table", rows: [[["a | b"]], [["1"]]] }]],
  ["## Title \\#", [{ tag: "heading", level: 2, inlines: ["Title #"] }]],
  ["**a \\** b**", [{ tag: "p", inlines: [{ tag: "strong", inlines: ["a ** b"] }] }]],
  [
    "_a_b `c_` d_",
    [{ tag: "p", inlines: [{ tag: "em", inlines: ["a_b ", { tag: "code", text: "c_" }, " d"] }] }],
  ],
  [
    "\\![a](https://e.test)",
    [{ tag: "p", inlines: ["!", { tag: "a", href: "https://e.test", inlines: ["a"] }] }],
  ],
])("the block %j is parsed", (text, blocks) => {
  expect(parseMarkdown(text)).toEqual(blocks);
});

test("a list supports task boxes and nested content", () => {
  expect(parseMarkdown("- [x] done\n- [ ] open\n  - below\n\n1. first")).toMatchObject([
    {
      tag: "list",
      isOrdered: false,
      items: [
        { isTicked: true, blocks: [{ inlines: ["done"] }] },
        { isTicked: false, blocks: [{ inlines: ["open"] }, { tag: "list", items: [{ isTicked: null }] }] },
      ],
    },
    { tag: "list", isOrdered: true },
  ]);
});

test.each([
  ["**bold** and *soft*", [{ tag: "strong", inlines: ["bold"] }, " and ", { tag: "em", inlines: ["soft"] }]],
  ["`a*b*`", [{ tag: "code", text: "a*b*" }]],
  ["snake_case_name 2 * 3 * 4", ["snake_case_name 2 * 3 * 4"]],
  ["\\*plain\\*", ["*plain*"]],
  ["[go](https://a.example/x)", [{ tag: "a", href: "https://a.example/x", inlines: ["go"] }]],
  ["[go](javascript:alert(1))", ["[go](javascript:alert(1))"]],
  ["![map](https://a.example/m.png)", [{ tag: "image", text: "map" }]],
  [
    "see https://a.example/x.",
    ["see ", { tag: "a", href: "https://a.example/x", inlines: ["https://a.example/x"] }, "."],
  ],
  ["<script>x</script>", ["<script>x</script>"]],
])("the line %j is parsed", (text, inlines) => {
  expect(parseInlines(text)).toEqual(inlines);
});

test("adversarial texts parse in linear time, and unknown markup stays as text", () => {
  for (const text of ["[".repeat(9_000), `x${"`".repeat(9_000)}`, "!".repeat(9_000), "h".repeat(9_000)])
    expect(parseMarkdown(text)).toEqual([{ tag: "p", inlines: [text] }]);
  const nested = JSON.stringify(parseMarkdown(`${"> ".repeat(5_000)}${"- ".repeat(5_000)}end`));
  expect(nested).toContain("end");
  expect(parseMarkdown("|".repeat(9_000)).length).toBe(1);
  expect(parseMarkdown(`# ${"#".repeat(9_000)}x`)).toMatchObject([{ tag: "heading", level: 1 }]);
});
