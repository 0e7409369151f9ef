import { expect, test } from "vitest";
import { memoryJournal } from "#tests/conformance/test-session.ts";
import { openStage } from "./restore-stage.ts";

test("a stage resumes after its last note and reports everything noted exactly once", async () => {
  const journal = memoryJournal();
  const first = await openStage<number>(journal, "labels");
  expect(first.at).toBeNull();
  const noted: boolean[] = [];
  for (let at = 1; at <= 25; at++) {
    first.count("label");
    if (at === 3) first.tell({ type: "changed", what: "Label 3", reason: "Its name was too long." });
    noted.push(await first.step(at));
  }
  expect(noted.indexOf(true)).toBe(19);

  const second = await openStage<number>(journal, "labels");
  expect([second.at, second.isDone]).toEqual([20, false]);
  for (let at = 21; at <= 25; at++) {
    second.count("label");
    await second.step(at);
  }
  await second.finish();
  const third = await openStage<number>(journal, "labels");
  expect(third.isDone).toBe(true);
  expect([...third.events()]).toEqual([
    { type: "restored", kind: "label", count: 25 },
    { type: "changed", what: "Label 3", reason: "Its name was too long." },
  ]);
  expect((await openStage(journal, "issues")).at).toBeNull();
});

const mapped = (at: number) =>
  ({ type: "mapped", kind: "issue", from: `#${at}`, to: `#${at + 1}`, url: null }) as const;

test("a stage keeps the first lines of each kind and counts the others, also after a resume", async () => {
  const journal = memoryJournal();
  const first = await openStage<number>(journal, "issues");
  for (let at = 1; at <= 260; at++) {
    first.tell({ type: "missing", what: `Issue ${at}`, reason: "Refused." });
    first.tell(mapped(at));
  }
  await first.finish();
  const second = await openStage<number>(journal, "issues");
  second.tell({ type: "missing", what: "Issue 261", reason: "Refused." });
  second.tell({ type: "changed", what: "Issue 261", reason: "It is shorter." });
  await second.finish();
  const events = [...(await openStage(journal, "issues")).events()];
  const linesOf = (wanted: string) => events.filter(({ type }) => type === wanted);
  expect(linesOf("missing")).toHaveLength(250);
  expect(linesOf("missing").at(-1)).toMatchObject({ what: "Issue 250" });
  expect(linesOf("mapped")).toHaveLength(250);
  expect(linesOf("changed")).toHaveLength(1);
  expect(linesOf("unlisted")).toEqual([
    { type: "unlisted", list: "missing", count: 11 },
    { type: "unlisted", list: "mapped", count: 10 },
  ]);
});

test("a stage with the longest names and most lines stays far below the row limit", async () => {
  const journal = memoryJournal();
  const name = "\u{1F69A}".repeat(4_096);
  for (const at of [1, 2]) {
    const stage = await openStage<number>(journal, "cards");
    for (let line = 1; line <= 600; line++) {
      for (const type of ["changed", "impossible", "missing"] as const)
        stage.tell({ type, what: `Card ${name}`, reason: "Refused." });
      stage.tell({ type: "mapped", kind: "card", from: name, to: `${line}`, url: null });
    }
    await stage.step(at);
    await stage.finish();
  }
  expect(Buffer.byteLength(JSON.stringify(journal.entries.get("part:cards")))).toBeLessThan(410_000);
  const counts = [...(await openStage(journal, "cards")).events()].map((event) =>
    event.type === "unlisted" ? event.count : 1,
  );
  expect(counts.reduce((sum, count) => sum + count)).toBe(2 * 4 * 600);
});
