import { expect, test } from "vitest";
import { sampleMutants } from "./sample-mutants.ts";
import { percentOf, readScores, renderScores } from "./score.ts";
import { showChange } from "./show-change.ts";

const scores = [
  { area: "core/vault", seed: 7, planted: 900, tried: 60, killed: 53 },
  { area: "core/runs", seed: 8, planted: 20, tried: 20, killed: 20 },
];

test("a score is rounded down", () => {
  expect(scores.map(percentOf)).toEqual([88, 100]);
});

test("the table can be parsed again", () => {
  expect(readScores(renderScores(scores))).toEqual(scores);
  expect(renderScores(scores)).toContain("| all |  | 80 | 73 | 7 | 91 % |  |");
});

test("a sample is spread over the list, has the requested size, and changes with the seed", () => {
  const list = Array.from({ length: 1000 }, (_, index) => index);
  const chosen = sampleMutants(list, 60, 1);
  expect(new Set(chosen).size).toBe(60);
  expect(chosen.slice(1).every((each, n) => each - chosen[n]! <= 17)).toBe(true);
  expect(sampleMutants(list, 60, 1)).toEqual(chosen);
  expect(sampleMutants(list, 60, 2)).not.toEqual(chosen);
  expect(sampleMutants(list, 2000, 1)).toEqual(list);
});

test("a change is shown with some context", () => {
  const long = "SELECT a, b, c FROM somewhere WHERE a = 1 AND b = 2 AND c = 3 ORDER BY a, b, c";
  expect(showChange(long, long.replace("b = 2", "b <> 2"))).toBe(
    "…where WHERE a = 1 AND b = 2 AND c = 3 ORDER BY a,… -> …where WHERE a = 1 AND b <> 2 AND c = 3 ORDER BY a,…",
  );
  expect(showChange("call();", "")).toBe("call(); -> nothing");
});
