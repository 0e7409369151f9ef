import fc from "fast-check";
import { expect, test } from "vitest";
import { gitEnvironment } from "#connectors/toolkit/simulator/git-backend.ts";
import { runGitProcess } from "#connectors/toolkit/simulator/git-process.ts";
import { compareRefNames, isKeptRef, proposalNumber, refNameProblem } from "./refs.ts";

test("the rules for ref names agree with git check-ref-format", () => {
  const names = fc.sample(
    fc
      .array(
        fc.constantFrom(
          "a",
          "é",
          "/",
          ".",
          "..",
          "@",
          "{",
          "@{",
          "-",
          "~",
          "^",
          ":",
          "?",
          "*",
          "[",
          "\\",
          " ",
          ".lock",
          "x\u0007",
          "\u007f",
          "日",
        ),
        { minLength: 1, maxLength: 5 },
      )
      .map((parts) => `refs/heads/${parts.join("")}`),
    { numRuns: 120, seed: 7 },
  );
  const env = gitEnvironment();
  for (const name of names) {
    const isSound = runGitProcess({ args: ["check-ref-format", name], env }).status === 0;
    expect([name, refNameProblem(name) === null]).toEqual([name, isSound]);
  }
});

test("pushed refs and heads of proposed changes are kept; names sort by bytes", () => {
  const kept = [
    "refs/heads/main",
    "refs/tags/v1",
    "refs/notes/commits",
    "refs/pull/12/head",
    "refs/remotes/a/b",
    "refs/stash",
  ];
  const left = ["HEAD", "refs/pull/12/merge", "refs/pull/x/head", "refs/keep-around/1", "refs/"];
  const isKept = (name: string) => isKeptRef(name, { proposals: "refs/pull/", own: ["refs/keep-around/"] });
  expect(kept.filter(isKept)).toEqual(kept);
  expect(left.filter(isKept)).toEqual([]);
  expect(isKeptRef("refs/pull/12/merge", { proposals: null, own: [] })).toBe(true);
  expect(["refs/b", "refs/é", "refs/a-", "refs/a"].sort(compareRefNames)).toEqual([
    "refs/a",
    "refs/a-",
    "refs/b",
    "refs/é",
  ]);
  expect(refNameProblem("HEAD")).not.toBeNull();
  expect(refNameProblem("refs/heads/\ufffd")).toBeNull();
});

test("the number of a proposed change comes from its head alone", () => {
  const numberOf = (name: string) => proposalNumber(name, "refs/merge-requests/");
  expect(numberOf("refs/merge-requests/12/head")).toBe("12");
  for (const name of [
    "refs/merge-requests/12/merge",
    "refs/merge-requests/x/head",
    "refs/pull/12/head",
    "12/head",
  ])
    expect(numberOf(name)).toBeNull();
});

test.each([
  ["", "it is empty"],
  ["refs/heads/a b", "it holds a character that git forbids"],
  ["HEAD", "it lies outside refs/"],
  ["refs/heads/a..b", "it holds '..' or '@{'"],
  ["refs/heads/a@{b", "it holds '..' or '@{'"],
  ["refs/heads/a.", "it ends with a dot"],
  ["refs/heads//a", "it has an empty part"],
  ["refs/heads/", "it has an empty part"],
  ["refs/.heads/a", "one of its parts begins with a dot"],
  ["refs/heads/a.lock/b", "one of its parts ends with .lock"],
])("git refuses the name '%s': %s", (name, problem) => {
  expect(refNameProblem(name)).toBe(problem);
});
