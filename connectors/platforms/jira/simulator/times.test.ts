import { expect, test } from "vitest";
import { jiraTime, momentIn, readDate, readDuration, readJiraTime, showDuration } from "./times.ts";

test("times are written and read with the offset of their zone, also across the change of the clock", () => {
  const summer = Date.parse("2026-10-25T00:30:00.500Z");
  const winter = summer + 3_600_000;
  expect(jiraTime(summer, "Europe/Stockholm")).toBe("2026-10-25T02:30:00.500+0200");
  expect(jiraTime(winter, "Europe/Stockholm")).toBe("2026-10-25T02:30:00.500+0100");
  expect(jiraTime(summer, "America/St_Johns")).toBe("2026-10-24T22:00:00.500-0230");
  for (const zone of ["Europe/Stockholm", "America/St_Johns", "Etc/UTC", "Asia/Kathmandu"]) {
    for (const at of [summer, winter]) expect(readJiraTime(jiraTime(at, zone))).toBe(at);
  }
  expect(momentIn("Europe/Stockholm", "2026-07-01T10:00:00")).toBe(Date.parse("2026-07-01T08:00:00Z"));
  expect(momentIn("Europe/Stockholm", "2026-12-01T10:00:00")).toBe(Date.parse("2026-12-01T09:00:00Z"));
});

test("only whole days and Jira's form of times are read", () => {
  expect(["2026-02-28", "2026-02-30", "2026-2-8", 5, null].map(readDate)).toEqual([
    "2026-02-28",
    null,
    null,
    null,
    null,
  ]);
  expect(readJiraTime("2026-02-28T10:00:00.000Z")).toBeNull();
  expect(readJiraTime("2026-02-28T10:00:00+0000")).toBeNull();
});

test("durations have days of eight hours and weeks of five days", () => {
  expect(readDuration("1w 2d 3h 4m")).toBe((5 * 8 + 2 * 8 + 3) * 3_600 + 240);
  expect(showDuration(readDuration("1w 2d 3h 4m")!)).toBe("1w 2d 3h 4m");
  expect([readDuration("soon"), readDuration(5), showDuration(0)]).toEqual([null, null, "0m"]);
});
