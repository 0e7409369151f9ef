import { expect, test } from "vitest";
import { pathTo, type Workflow } from "./workflow-path.ts";

/** new → progress → review → done, back from review to progress; "block" starts anywhere. */
const FLOW: Workflow = {
  initial: "new",
  edges: [
    { id: "11", from: ["new"], to: "progress" },
    { id: "21", from: ["progress"], to: "review" },
    { id: "31", from: ["review"], to: "done" },
    { id: "41", from: ["review"], to: "progress" },
    { id: "51", from: [], to: "blocked" },
    { id: "61", from: ["blocked"], to: "progress" },
  ],
};
const ids = (from: string, to: string) => pathTo(FLOW, from, to)?.map(({ id }) => id) ?? null;

test("the way over a workflow takes the fewest transitions", () => {
  expect(ids("new", "done")).toEqual(["11", "21", "31"]);
  expect(ids("done", "review")).toEqual(["51", "61", "21"]);
  expect(ids("new", "blocked")).toEqual(["51"]);
});

test("an issue that is there takes no step, and a status without a way to it is told from that", () => {
  expect(ids("review", "review")).toEqual([]);
  expect(ids("progress", "new")).toBeNull();
  expect(ids("unknown", "done")).toEqual(["51", "61", "21", "31"]);
});

test("a workflow that leads in circles ends", () => {
  const edges = [
    { id: "1", from: ["a"], to: "b" },
    { id: "2", from: ["b"], to: "a" },
  ];
  expect(pathTo({ initial: "a", edges }, "a", "c")).toBeNull();
});
