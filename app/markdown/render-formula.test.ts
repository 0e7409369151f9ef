import { expect, test } from "vitest";
import { codeSpan } from "#connectors/toolkit/markdown/escape-markdown.ts";
import { PLAIN, runLines } from "#connectors/toolkit/markdown/run-lines.ts";
import { renderFormula } from "./render-formula.server.ts";
import { renderMarkdown } from "./render-markdown.server.ts";

test("a formula in a line and one of its own become MathML", () => {
  const line = renderMarkdown("So $`F = m \\cdot a_1 < b`$, and **$``x``$**")!;
  expect(line).toContain('<p>So <math xmlns="http://www.w3.org/1998/Math/MathML">');
  expect(line).toContain("<mo>&lt;</mo>");
  expect(line).toContain("<mi>x</mi>");
  expect(line).not.toMatch(/\$|<code|<strong><\/strong>|cdot/);
  const block = renderMarkdown("```math\nv = \\frac{s}{t}\n```")!;
  expect(block).toContain('<div class="md-formula"><math');
  expect(block).toContain("<mfrac><mi>s</mi><mi>t</mi></mfrac>");
  expect(renderMarkdown("> - a $`x\n>   y+z`$ b")).toContain("<mo>+</mo>");
  expect(renderMarkdown("| a |\n| --- |\n| $`\\|x\\|`$ |")).toMatch(/<td><math.*∣.*∣.*<\/math><\/td>/);
});

test.each([
  "it costs $5 and $6",
  "$$ to $$",
  "$x$",
  "\\$`x`$",
  "$`x` and `y`$",
  "$\\`x`$",
  "$`x",
  "```latex\nx\n```",
  "`$x$`",
])("%j is no formula", (text) => expect(renderMarkdown(text)).not.toContain("<math"));

test("dollar signs around code that someone wrote stay as written", () => {
  const run = (text: string, code = false) => ({ text, marks: { ...PLAIN, code } });
  const forged = runLines([run("$"), run("x", true), run("$")]).join("\n");
  expect(renderMarkdown(forged)).toBe("<p>$<code>x</code>$</p>");
  const after = runLines([{ ...run("a"), isFormula: true }, run("x", true), run("$")]).join("\n");
  expect(renderMarkdown(after)).toMatch(/^<p><math.*<\/math><code>x<\/code>\$<\/p>$/);
  const text = runLines([run("$`x`$")]).join("\n");
  expect(renderMarkdown(text)).toBe("<p>$`x`$</p>");
});

test.each([
  "\\href{javascript:alert(1)}{x}",
  "\\url{https://e.test}",
  "\\includegraphics[width=1em]{https://e.test/a.png}",
  "\\htmlClass{a}{x}",
  "\\htmlId{a}{x}",
  "\\htmlStyle{position:fixed}{x}",
  '\\htmlData{a="b" onclick=alert(1)}{x}',
  "\\text{<script>alert(1)</script>}",
  '\\text{" onload="alert(1)}',
  "</math><script>alert(1)</script>",
  "</annotation><img src=x onerror=alert(1)>",
  "\\color{red;background:url(https://e.test)}x",
  '\\textcolor{"onload=x}{y}',
  "\\def\\a{\\a\\a}\\a",
  `${"\\def\\a#1{#1#1#1#1#1#1#1#1#1#1}".repeat(2)}${"\\a{".repeat(9)}x${"}".repeat(9)}`,
  "\\rule{9999em}{9999em}",
  "\\hspace{-9999em}x\\raisebox{9999em}{y}",
  "{".repeat(1_000) + "}".repeat(1_000),
  "\\sqrt{".repeat(300) + "}".repeat(300),
  "\\boxed{x}\\cancel{y}\\fbox{z}\\colorbox{red}{w}\\begin{CD}A@>a>>B\\end{CD}\\tag{1}",
  "\\boxed{x}",
  "\\begin{aligned}a&=b\\\\c&=d\\end{aligned}",
])("%j adds nothing but mathematics, in time", (latex) => {
  const started = performance.now();
  const math = renderFormula(latex, true) ?? "";
  expect(performance.now() - started).toBeLessThan(2_000);
  expect(math.length).toBeLessThan(100_000);
  expect(math).not.toMatch(
    /<(?!\/?m|\/?semantics)|<[^>]*\s(?:style|class|id|href|src|on\w+|data-\w+)="|9999/,
  );
  const html = renderMarkdown(`$${codeSpan(latex)}$\n\n\`\`\`math\n${latex}\n\`\`\``);
  expect(html ?? "").not.toMatch(/<(?:a|img|script|svg|annotation)\b|<[^>]*\s(?:style|href|src|on\w+)="/);
});

test("wrong LaTeX and one formula too many stay LaTeX", () => {
  expect(renderMarkdown("$`\\frac{`$")).toBe('<p><code class="formula">\\frac{</code></p>');
  expect(renderMarkdown("```math\n\\nosuch\n```")).toContain('<code class="language-math">\\nosuch');
  const many = renderMarkdown("$`x`$\n\n".repeat(250))!;
  expect(many.match(/<math/g)).toHaveLength(200);
  expect(many.match(/<code/g)).toHaveLength(50);
});
