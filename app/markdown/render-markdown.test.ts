import { expect, test } from "vitest";
import { renderMarkdown } from "./render-markdown.server.ts";

test("markdown and tables become HTML", () => {
  const html = renderMarkdown(
    "# Title\n\nSome **bold** text\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done",
  );
  expect(html).toContain("<h3>Title</h3>");
  expect(html).toContain("<strong>bold</strong>");
  expect(html).toContain("<table>");
  expect(html).toMatch(/<input type="checkbox" disabled=""(?: checked="")? aria-label="(?:done|open)" \/>/);
});

test.each([
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg/onload=alert(1)>",
  "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
  "[click](javascript:alert(1))",
  "[click](JaVaScRiPt:alert(1))",
  "[click](java\nscript:alert(1))",
  "[click](&#106;avascript:alert(1))",
  "[click](data:text/html,<script>alert(1)</script>)",
  "[click](vbscript:x)",
  "<javascript:alert(1)>",
  "![x](javascript:alert(1))",
  '![x" onerror="alert(1)](https://e.test/a.png)',
  '![x](https://e.test/a.png "t\\" onload=\\"alert(1)")',
  '[x](https://e.test/ "t\\" onclick=\\"alert(1)")',
  "[x]: javascript:alert(1)\n\n[x]",
  "a <b onclick=alert(1)>b</b>",
  "```html\n</code></pre><script>alert(1)</script>\n```",
  '~~~" onmouseover="alert(1)\nx\n~~~',
  "[^1]\n\n[^1]: <script>alert(1)</script>",
  "<style>*{display:none}</style>",
  "<form action=https://e.test><input name=p></form>",
  '[x](https://e.test/?a="><script>alert(1)</script>)',
  'www.e.test"onclick="alert(1)',
])("%j neither runs nor loads anything", (text) => {
  const html = renderMarkdown(text)!;
  const tags = [...html.matchAll(/<\/?([a-z0-9]+)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*\/?>/gi)];
  // Every bracket of the result belongs to an allowed tag.
  expect(html.replace(/<\/?([a-z0-9]+)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*\/?>/gi, "")).not.toMatch(/[<>]/);
  const known =
    /^(p|a|span|h[1-6]|ul|ol|li|em|strong|del|code|pre|blockquote|br|hr|table|thead|tbody|tr|th|td|input|sup|section)$/;
  for (const [, name, attributes] of tags) {
    expect(name).toMatch(known);
    expect(attributes!.replace(/="[^"]*"/g, "=")).not.toMatch(
      /\s(on[a-z]+|src|srcdoc|style|action|formaction)=/i,
    );
    for (const [, address] of attributes!.matchAll(/href="([^"]*)"/g))
      expect(address).toMatch(/^(#|https?:|mailto:|$|[^:]*$)/i);
  }
});

test("an image becomes its description, and links have no referrer", () => {
  expect(renderMarkdown("![A cat](https://e.test/cat.png)")).toContain(
    '<span class="md-image" title="https://e.test/cat.png">A cat</span>',
  );
  expect(renderMarkdown("[x](https://e.test)")).toContain('rel="noreferrer nofollow" href="https://e.test"');
});

test.each([
  ["quotes", ">".repeat(20_000)],
  ["lists", "- ".repeat(20_000)],
  ["brackets", "[".repeat(60_000)],
  ["emphasis", "*a_ ".repeat(30_000)],
  ["backticks", "`a".repeat(50_000)],
  ["links", "[a](".repeat(30_000)],
  ["tables", `${"|a".repeat(5_000)}|\n${"|-".repeat(5_000)}|\n`.repeat(3)],
  ["autolinks", "http://".repeat(20_000)],
])(
  "a text of only %s is parsed in time",
  (_, text) => {
    const started = performance.now();
    renderMarkdown(text);
    expect(performance.now() - started).toBeLessThan(20_000);
  },
  60_000,
);

test("a text that is too long is left to the plain view", () => {
  expect(renderMarkdown("a".repeat(300_000))).toBeNull();
});
