import { expect, test } from "vitest";
import type { ViewerPart } from "../data.ts";
import { byRank, dayText, textOfPart, timeText, wordsOf } from "./words.ts";

const part = (more: Partial<ViewerPart>): ViewerPart => ({
  type: "card",
  id: "1",
  title: "Åsa's crane",
  ...more,
});

test("times are in UTC, and an invalid time is empty", () => {
  expect(timeText(Date.UTC(2026, 10, 20, 11, 48))).toBe("20 Nov 2026 11:48");
  expect(dayText(Date.UTC(2026, 0, 3))).toBe("3 Jan 2026");
  for (const at of [Number.NaN, 1e18, -1e15]) expect([timeText(at), dayText(at)]).toEqual(["", ""]);
});

test("cards are sorted by rank, by number or by text", () => {
  const order = (...ranks: (number | string)[]) =>
    ranks
      .map((rank) => part({ rank }))
      .sort(byRank)
      .map(({ rank }) => rank);
  expect(order(10, 9, 100)).toEqual([9, 10, 100]);
  expect(order("b", "aa", "a")).toEqual(["a", "aa", "b"]);
});

test("a search finds a part by any of its text and ignores case and accents", () => {
  const text = textOfPart(
    part({
      blocks: [{ type: "text", text: "Rope" }],
      checklists: [{ title: "Papers", items: [{ text: "CMR", isDone: false, dueAt: null, person: null }] }],
      notes: [{ text: "Späť o 5" }, { isEvent: true, text: "moved it" }],
      cells: { n: "12 kg" },
    }),
  );
  for (const word of wordsOf("ASA rope cmr SPAT 12")) expect(text).toContain(word);
  expect(text).not.toContain("moved");
});
