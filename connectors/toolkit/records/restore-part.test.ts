import { expect, test } from "vitest";
import { memoryJournal } from "#tests/conformance/test-session.ts";
import { openPart } from "./restore-part.ts";

test("a part goes on at its last note and tells everything that was noted, each thing once", async () => {
  const journal = memoryJournal();
  const first = await openPart<number>(journal, "labels");
  expect(first.at).toBeNull();
  const noted: boolean[] = [];
  for (let at = 1; at <= 25; at++) {
    first.count("label");
    if (at === 3) first.tell({ type: "changed", what: "Label 3", reason: "Its name was too long." });
    noted.push(await first.step(at));
  }
  expect(noted.indexOf(true)).toBe(19);

  const second = await openPart<number>(journal, "labels");
  expect([second.at, second.isDone]).toEqual([20, false]);
  for (let at = 21; at <= 25; at++) {
    second.count("label");
    await second.step(at);
  }
  await second.finish();
  const third = await openPart<number>(journal, "labels");
  expect(third.isDone).toBe(true);
  expect([...third.events()]).toEqual([
    { type: "restored", kind: "label", count: 25 },
    { type: "changed", what: "Label 3", reason: "Its name was too long." },
  ]);
  expect((await openPart(journal, "issues")).at).toBeNull();
});
