import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { welcomeCopy } from "#app/copy/welcome.ts";

/** The row of the bench behind each figure of the public page. */
const MEASURED = {
  "0": "objects written by a backup without a change",
  "0.62": "backup job / `git clone --mirror`",
  "0.63": "restore job / `git push --mirror`",
};

test("the figures of the public page are those that the bench measured last", () => {
  const results = readFileSync("tests/bench/RESULTS.md", "utf8");
  for (const [figure, what] of Object.entries(MEASURED)) {
    const row = results.split("\n").find((line) => line.split("|")[2]?.trim() === what);
    expect(Number(row?.split("|")[3]?.trim().split(" ")[0]).toFixed(2), what).toBe(Number(figure).toFixed(2));
  }
  const shown = welcomeCopy.proofs.map(({ figure }) => figure);
  // The check of a version reads every byte, by definition of "verified".
  expect(shown).toEqual(["100\u00a0%", ...["0", "0.62", "0.63"]]);
});
