import { expect, test } from "vitest";
import type { ViewerPart } from "../data.ts";
import {
  byRank,
  dayText,
  momentText,
  shortDayText,
  shortHash,
  textOfPart,
  timeText,
  wordsOf,
} from "./words.ts";

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

test("the cover's time has seconds, and a day of the version's year has no year", () => {
  const taken = Date.UTC(2026, 10, 20, 11, 48, 22);
  expect(momentText(taken)).toBe("20 Nov 2026 11:48:22");
  expect(shortDayText(Date.UTC(2026, 0, 3), taken)).toBe("3 Jan");
  expect(shortDayText(Date.UTC(2027, 0, 3), taken)).toBe("3 Jan 2027");
  expect([shortDayText(Number.NaN, taken), shortDayText(taken, Number.NaN)]).toEqual(["", "20 Nov 2026"]);
});

test("a long hash is shown by its beginning and end", () => {
  expect(shortHash("9a41c07e55d1b2f0".padEnd(60, "0").concat("20fb"))).toBe("9a41 c07e 55d1 \u2026 20fb");
  expect(shortHash("abc")).toBe("abc");
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
