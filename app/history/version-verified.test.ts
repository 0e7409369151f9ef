import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { verifiedAt, verifiedLong } from "./version-verified.tsx";

const TAKEN = Date.parse("2026-05-20T09:03:00Z");
const NOW = TAKEN + HOUR_MS;
const textOf = (at: number) => verifiedAt(at, TAKEN, "UTC", NOW);

test("a check has its date unless it was close to the version, before or after", () => {
  expect(textOf(TAKEN + 60_000)).toBe("09:04");
  expect(textOf(TAKEN - 60_000)).toBe("09:02");
  expect(textOf(TAKEN - 6 * DAY_MS)).toMatch(/14 May.*09:03/);
  expect(textOf(TAKEN + 6 * DAY_MS)).toMatch(/26 May.*09:03/);
});

test("a check that is older than the version is said to be an earlier version's", () => {
  expect(verifiedLong(TAKEN + 1, TAKEN, "UTC")).not.toContain("earlier");
  expect(verifiedLong(TAKEN - 1, TAKEN, "UTC")).toMatch(
    /, in an earlier version; nothing has changed since$/,
  );
});
