import fc from "fast-check";
import { expect, test } from "vitest";
import { quieten } from "#connectors/toolkit/records/quote.ts";
import { githubDialect, quoteGithub } from "./quote-github.ts";

const CONFIG = { GITHUB_WEB_URL: "https://github.com" };

test("a restored text names its author, time and original, and notifies nobody", () => {
  const origin = {
    author: "nora-lindqvist",
    at: "2026-03-02T10:22:05Z",
    url: "https://github.com/meridian/crane/issues/12",
    facts: ["Assigned to ines."],
  };
  const body =
    "Thanks @otto and @meridian/yard, see meridian/crane#7 and https://github.com/a/b/pull/3; mail a@b.example";
  const { text, isCut } = quoteGithub(CONFIG, origin, { body });
  expect(isCut).toBe(false);
  expect(text.split("\n")).toEqual([
    "> **nora-lindqvist** wrote this on 2 March 2026, 10:22 UTC (https://redirect.github.com/meridian/crane/issues/12).  ",
    "> Assigned to ines.",
    "",
    "Thanks @\u200botto and @\u200bmeridian/yard, see meridian/crane#\u200b7 and https://redirect.github.com/a/b/pull/3; mail a@b.example",
  ]);
});

test("code is unchanged", () => {
  const code = "```java\n@Override\nvoid a() {} // owner/name#1\n```";
  const { text } = quoteGithub(
    CONFIG,
    { author: null, at: null, url: null },
    { body: `Before @otto\n${code}\nand \`@inline\`` },
  );
  expect(text).toContain(code);
  expect(text).toContain("`@inline`");
  expect(text).toContain("Before @\u200botto");
  expect(text).toContain("Somebody whose account is gone");
});

test("no mention or reference remains outside code for any text, and quietening is idempotent", () => {
  const dialect = githubDialect(CONFIG);
  const word = fc.constantFrom(
    "@otto",
    "@a/b",
    "x@y",
    "a/b#1",
    "a/b@deadbeef",
    "https://github.com/a/b/issues/1",
    "(@ines)",
    "text",
    "\n",
    "`",
    "**@bold**",
    "@",
  );
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const quiet = quieten(words.join(" "), dialect);
      const outside = quiet
        .split(/(```[\s\S]*?(?:```|$)|`[^`\n]*`)/)
        .filter((_, index) => index % 2 === 0)
        .join(" ");
      expect(outside).not.toMatch(/(^|[^\w/`])@[a-z\d]/i);
      expect(outside).not.toMatch(/https:\/\/github\.com\/\w+\/\w+\/issues/);
      expect(quieten(quiet, dialect)).toBe(quiet);
    }),
  );
});

test("a text that is too long is cut at a character boundary and says so", () => {
  const { text, isCut } = quoteGithub(
    CONFIG,
    { author: "nora", at: null, url: null },
    { body: "🏗".repeat(40_000) },
  );
  expect(isCut).toBe(true);
  expect(text.length).toBeLessThanOrEqual(65_536);
  expect(text.isWellFormed()).toBe(true);
  expect(text).toContain("the backup holds all of it");
});
