import { expect, test } from "vitest";
import { renderTimes, replaceTimes } from "./timing-page.ts";

test("the table has every phase, the total, and the ten slowest files, slowest first", () => {
  const files = Array.from({ length: 12 }, (_, index) => ({ file: `${index}.test.ts`, ms: index * 1_000 }));
  const table = renderTimes(
    [
      { name: "unit", ms: 90_000 },
      { name: "journeys", ms: 330_000 },
    ],
    400_000,
    files,
  );
  expect(table).toContain("| unit | 1.5 |\n| journeys | 5.5 |\n| all | 6.7 |");
  expect(table.match(/\d+\.test\.ts/g)).toEqual(
    [11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((index) => `${index}.test.ts`),
  );
});

test("only the section about times is replaced, and a page without one is refused", () => {
  const page =
    "# Tests\n<!-- times: written by `npm test -- --record` -->\nold\n<!-- end of times -->\nrest\n";
  const once = replaceTimes(page, "new");
  expect(once).toBe(
    "# Tests\n<!-- times: written by `npm test -- --record` -->\n\nnew\n\n<!-- end of times -->\nrest\n",
  );
  expect(replaceTimes(once, "new")).toBe(once);
  expect(() => replaceTimes("# Tests\n", "new")).toThrow("no place");
});
