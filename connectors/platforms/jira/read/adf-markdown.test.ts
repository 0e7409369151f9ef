import fc from "fast-check";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { expect, test } from "vitest";
import { renderMarkdown } from "#app/markdown/render-markdown.server.ts";
import { parseMarkdown } from "#core/exports/viewer/program/markdown.ts";
import { isDeep } from "#tests/harness/sample.ts";
import { adfToMarkdown } from "./adf-markdown.ts";
import { adfToText } from "./adf-text.ts";

type Node = { type: string; [key: string]: unknown };
const doc = (...content: Node[]) => ({ type: "doc", version: 1, content });
const node = (type: string, content: Node[] = [], attrs: object = {}): Node => ({ type, attrs, content });
const text = (value: string, ...marks: (string | Node)[]): Node => ({
  type: "text",
  text: value,
  marks: marks.map((mark) => (typeof mark === "string" ? { type: mark } : mark)),
});
const p = (...content: (Node | string)[]) =>
  node(
    "paragraph",
    content.map((each) => (typeof each === "string" ? text(each) : each)),
  );
const markdown = (...content: Node[]) => adfToMarkdown(doc(...content));
const item = (...content: Node[]) => node("listItem", content);

test("headings, lists, quotes, rules and code have Markdown's form", () => {
  expect(
    markdown(
      node("heading", [text("Plan #")], { level: 2 }),
      node("bulletList", [item(p("one")), item(p("two"), node("bulletList", [item(p("deep"))]))]),
      node("orderedList", [item(p("third"))], { order: 3 }),
      node("blockquote", [p("said")]),
      node("rule"),
      node("codeBlock", [text("a ``` b\n\tc")], { language: "c++" }),
    ),
  ).toBe(
    [
      "## Plan \\#",
      "- one\n- two\n\n  + deep",
      "3) third",
      "> said",
      "___",
      "````c++\na ``` b\n\tc\n````",
    ].join("\n\n"),
  );
});

test("tasks, decisions, panels and expands keep their state and title", () => {
  expect(
    markdown(
      node("taskList", [
        node("taskItem", [text("order")], { state: "DONE" }),
        node("taskItem", [text("pay")], { state: "TODO" }),
        node("taskList", [node("taskItem", [text("later")], { state: "TODO" })]),
      ]),
      node("decisionList", [node("decisionItem", [text("Belt 4")], { state: "DECIDED" })]),
      node("panel", [p("Mind the gap")], { panelType: "warning" }),
      node("expand", [p("inside")], { title: "More" }),
    ),
  ).toBe(
    [
      "- [x] order\n- [ ] pay\n  + [ ] later",
      "* **Decision:** Belt 4",
      "> **Warning**\n>\n> Mind the gap",
      "> **More**\n>\n> inside",
    ].join("\n\n"),
  );
});

test("tables have headers, merged cells and single lines", () => {
  const cell = (words: string, attrs: object = {}) => node("tableCell", [p(words)], attrs);
  const head = (words: string) => node("tableHeader", [p(words)]);
  const lines = markdown(
    node("table", [
      node("tableRow", [head("Gate"), head("State | now")]),
      node("tableRow", [cell("7", { rowspan: 2 }), node("tableCell", [p("open"), p("again")])]),
      node("tableRow", [cell("shut")]),
      node("tableRow", [cell("both", { colspan: 2 })]),
    ]),
  );
  expect(lines).toBe("| Gate | State \\| now |\n| --- | --- |\n| 7 | open again |\n|  | shut |\n| both |  |");
  const bare = markdown(node("table", [node("tableRow", [head("Depot"), cell("Leipzig")])]));
  expect(bare).toBe("|  |  |\n| --- | --- |\n| **Depot** | Leipzig |");
});

test("marks, links and inline nodes are told", () => {
  const link = (href: string): Node => ({ type: "link", attrs: { href } });
  expect(
    markdown(
      p(
        text("bold", "strong"),
        " ",
        text("slanted", "em"),
        " ",
        text("gone", "strike"),
        " ",
        text("a`b", "code"),
      ),
      p(text("site", link("https://e.test/a(b)?c=1&d=2")), " and ", text("bad", link("javascript:alert(1)"))),
      p(
        text("H"),
        text("2", { type: "subsup", attrs: { type: "sub" } }),
        text("O x"),
        text("2", { type: "subsup", attrs: { type: "sup" } }),
      ),
      p(text("seen", "underline"), " ", text("red", { type: "textColor", attrs: { color: "#f00" } })),
      p(
        node("mention", [], { text: "@Nora" }),
        " ",
        node("emoji", [], { shortName: ":tada:", text: "🎉" }),
        " ",
        node("date", [], { timestamp: "1795132800000" }),
        " ",
        node("status", [], { text: "IN TRANSIT" }),
        " ",
        node("inlineCard", [], { url: "https://e.test/x" }),
      ),
      p("one", node("hardBreak"), "two"),
    ),
  ).toBe(
    [
      "**bold** _slanted_ ~~gone~~ ``a`b``",
      "[site](https://e.test/a%28b%29?c=1&d=2) and bad (javascript:alert\\(1\\))".replace(
        "alert\\(1\\)",
        "alert(1)",
      ),
      "H₂O x²",
      "seen red",
      "@Nora 🎉 2026-11-20 `IN TRANSIT` [https\\://e.test/x](https://e.test/x)",
      "one  \ntwo",
    ].join("\n\n"),
  );
});

test("files are named, pictures of other places are links, and what is unknown keeps its text", () => {
  expect(
    markdown(
      node("mediaSingle", [
        node("media", [], { type: "file", id: "u-1", alt: "gate_7.jpg" }),
        node("caption", [text("Panel")]),
      ]),
      node("mediaGroup", [node("media", [], { type: "file", id: "u-2" })]),
      node("mediaSingle", [node("media", [], { type: "external", url: "https://e.test/a.png" })]),
      node("extension", [], { extensionKey: "chart" }),
      node("bodiedExtension", [p("body")], { extensionKey: "excerpt" }),
      node("layoutSection", [node("layoutColumn", [p("left")]), node("layoutColumn", [p("right")])]),
      node("blockCard", [], { url: "https://e.test/y" }),
      node("hologram", [node("spark", [text("kept")])]),
      node("hologram", [], { title: "named" }),
      node("hologram"),
    ),
  ).toBe(
    [
      "📎 gate_7.jpg",
      "Panel",
      "📎 file",
      "![file](https://e.test/a.png)",
      "\\[App content: chart\\]",
      "> **excerpt**\n>\n> body",
      "left",
      "right",
      "[https\\://e.test/y](https://e.test/y)",
      "kept",
      "named",
      "\\[hologram\\]",
    ].join("\n\n"),
  );
});

test("text for search has the words of every block, one line each", () => {
  expect(
    adfToText(
      doc(
        p("one ", node("mention", [], { text: "@Nora" })),
        node("expand", [p("two")], { title: "More" }),
        node("table", [node("tableRow", [node("tableCell", [p("a")]), node("tableCell", [p("b")])])]),
      ),
    ),
  ).toBe("one @Nora\nMore\ntwo\na\n b");
  expect([adfToText(null), adfToText("x"), adfToMarkdown(undefined), adfToMarkdown([])]).toEqual([
    "",
    "",
    "",
    "",
  ]);
});

const LETTERS = "ab1 *_~`[]()<>!#+-=.:|&;\\/@wxh\n\tÄ🎉";
const words = fc.string({ unit: fc.constantFrom(...LETTERS), maxLength: 24 });
const samples = fc.oneof(
  words,
  fc.constantFrom(
    "https://e.test/a_b_*c*",
    "www.e.test",
    "nora@e.test",
    "&copy; &#106;",
    "<script>alert(1)</script>",
    "[x](javascript:alert(1))",
    "| a |\n| - |",
    "a\n===",
    "1. x",
    "- [ ] y",
    "```\nx",
    "![a](b)",
    "[^1]",
    "<https://e.test>",
    "    code",
    "***",
    "a\n:-",
    "\\",
  ),
);
const marks = fc.subarray(["strong", "em", "strike", "code", "underline", "subsup", "link"]);
const inline: fc.Arbitrary<Node> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ words: samples, marks }).map(({ words: value, marks: names }) =>
      text(
        value,
        ...names.map((type) => ({
          type,
          attrs: type === "link" ? { href: "https://e.test/z" } : { type: "sup" },
        })),
      ),
    ),
  },
  { weight: 1, arbitrary: samples.map((value) => node("status", [], { text: value })) },
  { weight: 1, arbitrary: samples.map((value) => node("mention", [], { text: value })) },
  { weight: 1, arbitrary: fc.constant(node("hardBreak")) },
);
const inlines = fc.array(inline, { maxLength: 5 });
const of = (type: string, content: fc.Arbitrary<Node[]>, attrs: object = {}) =>
  content.map((children) => node(type, children, attrs));
const { block } = fc.letrec<{ block: Node }>((tie) => {
  const blocks = fc.array(tie("block"), { maxLength: 3 });
  const items = (type: string, content: fc.Arbitrary<Node[]>) =>
    fc.array(of(type, content), { maxLength: 3 });
  return {
    block: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      of("paragraph", inlines),
      of("heading", inlines, { level: 3 }),
      of(
        "codeBlock",
        fc.array(
          samples.map((value) => text(value)),
          { maxLength: 2 },
        ),
      ),
      of("blockquote", blocks),
      of("panel", blocks, { panelType: "info" }),
      of("bulletList", items("listItem", blocks)),
      of("orderedList", items("listItem", blocks)),
      of("taskList", items("taskItem", inlines)),
      of("table", items("tableRow", items("tableCell", blocks))),
      of("somethingNew", blocks),
    ),
  };
});

/** Letters and signs of a text in order, without spaces. */
const bare = (value: string) => value.replace(/\s+/g, "");
function shownText(source: string): string {
  const html = micromark(source, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  return html
    .replace(/<input type="checkbox"[^>]*>/g, "")
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

test("any document is shown with its text as written", () => {
  fc.assert(
    fc.property(fc.array(block, { maxLength: 4 }), (content) => {
      const source = adfToMarkdown(doc(...content));
      const shown = bare(shownText(source)).replaceAll("Info", "").replace(/[☐☑]/g, "");
      const written = bare(adfToText(doc(...content)))
        .replaceAll("Info", "")
        .replace(/[☐☑]/g, "");
      expect(flat(shown), source).toBe(flat(written));
    }),
    { numRuns: isDeep() ? 5_000 : 300 },
  );
});

/** Raised and lowered numbers have letters of their own. */
const flat = (value: string) => value.normalize("NFKD").replaceAll("−", "-");

/** The text that the offline page shows. */
function offlineText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(offlineText).join("");
  const { text: own, inlines, blocks, items, rows } = value as { [key: string]: unknown };
  return [own, inlines, blocks, items, rows]
    .map((part) => (part === undefined ? "" : offlineText(part)))
    .join("");
}

test("the page of a ZIP shows any document with its text as written", () => {
  const line = of("paragraph", inlines);
  const list = fc.array(of("listItem", fc.tuple(line)), { maxLength: 3 });
  const rows = fc.array(
    of("tableRow", fc.array(of("tableCell", fc.tuple(line)), { minLength: 1, maxLength: 3 })),
    { maxLength: 3 },
  );
  const simple = fc.oneof(
    ...[
      line,
      of("heading", inlines, { level: 2 }),
      of("blockquote", fc.tuple(line)),
      of("bulletList", list),
      of("table", rows),
    ],
  );
  fc.assert(
    fc.property(fc.array(simple, { maxLength: 3 }), (content) => {
      const source = adfToMarkdown(doc(...content));
      const written = bare(adfToText(doc(...content)));
      expect(flat(bare(offlineText(parseMarkdown(source)))), source).toBe(flat(written));
    }),
    { numRuns: isDeep() ? 5_000 : 200 },
  );
});

test("any document is harmless HTML on the screens", () => {
  fc.assert(
    fc.property(fc.array(block, { maxLength: 3 }), (content) => {
      const html = renderMarkdown(adfToMarkdown(doc(...content))) ?? "";
      expect(html).not.toMatch(/<(script|img|iframe|svg|style|form)|\son[a-z]+=|href="(?!https?:|mailto:)/i);
    }),
    { numRuns: 100 },
  );
});

test("the screens show tables, tasks and links of a document", () => {
  const html = renderMarkdown(
    markdown(
      node("taskList", [node("taskItem", [text("done")], { state: "DONE" })]),
      node("table", [
        node("tableRow", [node("tableHeader", [p("Head")])]),
        node("tableRow", [node("tableCell", [p("Cell")])]),
      ]),
      p(text("site", { type: "link", attrs: { href: "https://e.test/" } })),
    ),
  );
  expect(html).toMatch(/<input type="checkbox" disabled="" checked=""[^>]*>\s*done/);
  expect(html).toMatch(/<th>Head<\/th>[\s\S]*<td>Cell<\/td>/);
  expect(html).toContain('href="https://e.test/">site</a>');
});

test("deep and huge documents end in time", () => {
  let deep: Node = p("bottom");
  for (let level = 0; level < 20_000; level += 1)
    deep = node(level % 2 === 0 ? "bulletList" : "listItem", [deep]);
  expect(markdown(deep)).toContain("bottom");
  let inner: Node = text("floor");
  for (let level = 0; level < 20_000; level += 1) inner = node("wrapper", [inner]);
  expect(markdown(node("paragraph", [inner]))).toContain("floor");
  const wide = markdown(...Array.from({ length: 60_000 }, (_, at) => p(`line ${at}`)));
  expect(wide.length).toBeLessThan(600_000);
  expect(wide.endsWith("…")).toBe(true);
  expect(adfToText(doc(...Array.from({ length: 60_000 }, () => p("many words"))))).toHaveLength(200_001);
});
