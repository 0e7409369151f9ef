import { expect, test } from "vitest";
import { quoteGitlab } from "./quote-gitlab.ts";

const CONFIG = { GITLAB_URL: "https://gitlab.com" };
const NOBODY = { author: null, at: null, url: null };

test("a restored text names its author, time and original, and notifies nobody", () => {
  const origin = {
    author: "ivo.petrov",
    at: "2026-03-02T10:22:05Z",
    url: "https://gitlab.com/meridian/crane/-/issues/12",
  };
  const body = "Thanks @otto, see meridian/crane#7 and https://gitlab.com/a/b/-/merge_requests/3";
  expect(quoteGitlab(CONFIG, origin, body).split("\n")).toEqual([
    "> **ivo.petrov** wrote this on 2 March 2026, 10:22 UTC (gitlab.com/meridian/crane/-/issues/12).",
    "",
    "Thanks @\u200botto, see meridian/crane#\u200b7 and gitlab.com/a/b/-/merge_requests/3",
  ]);
});

test("no line of a restored text is a quick action, and code is unchanged", () => {
  const text = quoteGitlab(CONFIG, NOBODY, "/close\n  /label ~bug\nnot /this\n```\n/usr/bin/env @otto\n```");
  expect(text).not.toMatch(/^[ \t]*\/(close|label)/m);
  expect(text).toContain("```\n/usr/bin/env @otto\n```");
  expect(text).toContain("not /this");
});
