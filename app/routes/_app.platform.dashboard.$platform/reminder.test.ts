import { expect, test } from "vitest";
import { closedAtIn, closedCookie, isReminderDue } from "./reminder.ts";

const CLOSED = Date.parse("2026-11-20T13:26:00Z");
const HOUR = 60 * 60 * 1000;

test("a closed reminder is hidden for 23 hours and 59 minutes, and due after 24 hours", () => {
  expect(isReminderDue(null, CLOSED)).toBe(true);
  const at = [0, 23 * HOUR, 24 * HOUR - 60_000, 24 * HOUR, 25 * HOUR];
  expect(at.map((later) => isReminderDue(CLOSED, CLOSED + later))).toEqual([false, false, false, true, true]);
});

test("the time is read from the platform's own cookie, and nothing else is taken for one", () => {
  const { name, value: at } = closedCookie("alpha", CLOSED);
  const pair = `${name}=${at}`;
  expect(closedAtIn(`rail=1; ${pair}; x=2`, "alpha")).toBe(CLOSED);
  expect(closedAtIn(pair, "beta")).toBeNull();
  for (const value of ["", "soon", "-1", "1e999"])
    expect(closedAtIn(`reminder-closed-alpha=${value}`, "alpha")).toBeNull();
});
