import { expect, test } from "vitest";
import { renderInFrame } from "#tests/harness/frame-screen.tsx";
import { textOf } from "#tests/harness/render-screen.tsx";
import { SeatNote } from "./seat-note.tsx";

const NOW = Date.UTC(2026, 10, 26, 9);

const draw = (seats: Parameters<typeof SeatNote>[0]["seats"]) =>
  textOf(renderInFrame(<SeatNote seats={seats} />, { pathname: "/app-connector" }, NOW));

test("an account of a plan that counts users tells their number, of which day it is, and why there is no newer one", () => {
  const readAt = Date.UTC(2026, 10, 3, 9);
  expect(draw({ count: 1_148, readAt, problem: null })).toContain("1,148 users, read on 3 Nov");
  expect(draw({ count: 1, readAt, problem: null })).toContain("1 user, read on 3 Nov");
  const problem = "Only Jira administrators can access license details.";
  const stale = draw({ count: 148, readAt, problem });
  expect(stale).toContain("148 users, read on 3 Nov");
  expect(stale).toContain(`could not be read since then. This one counts until it can. ${problem}`);
  const never = draw({ count: null, readAt: null, problem });
  expect(never).toContain("Not known yet");
  expect(never).toContain(`so your subscription is not recalculated. ${problem}`);
  expect(draw({ count: null, readAt: null, problem: null })).not.toContain("could not");
});
