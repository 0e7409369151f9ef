import { expect, test } from "vitest";
import type { ShellPlatform } from "#app/shell/shell-view.ts";
import { renderInFrame } from "#tests/harness/frame-screen.tsx";
import { textOf } from "#tests/harness/render-screen.tsx";
import { LimitNote } from "./limit-note.tsx";

const NOW = Date.UTC(2026, 10, 26, 9);

/** The note in the dialog of a platform with so many users; undefined where items are counted. */
function note(
  users: number | null | undefined,
  { plan = {}, isOwner = true, isFull = false }: { plan?: object; isOwner?: boolean; isFull?: boolean } = {},
): string {
  const id = users === undefined ? "github" : "jira";
  const quantity = { plan: "essential", isActive: true, endsAt: null, itemLimit: 100, ...plan } as const;
  const platform: ShellPlatform = {
    ...{ id, label: id, accountName: null, isRevoked: false, used: 3, plan: quantity },
    ...(users === undefined ? {} : { users }),
  };
  const entitlements = { ...quantity, quantity: 100, retentionDays: 30, periodMs: 1, hasProFeatures: false };
  const screen = <LimitNote page={{ platform: id, entitlements }} isFull={isFull} />;
  return renderInFrame(screen, { pathname: `/platform/dashboard/${id}` }, NOW, [platform], isOwner);
}
const REACHED = "You have reached the user limit on your current subscription.";

test("[P-425] an account of Jira over its users is told of the user limit, which keeps nobody from adding", () => {
  const html = note(101);
  expect(textOf(html)).toContain(
    `User limit reached . ${REACHED} Items can still be added; the subscription is recalculated on renewal.`,
  );
  expect(html).toContain('href="/checkout"');
  const member = note(101, { isOwner: false });
  expect(textOf(member)).toContain(`${REACHED} Items can still be added; the owner of your organisation`);
  expect(member).not.toContain("/checkout");
});

test("nobody is told of users that are paid for, not known, or without a limit, whatever is chosen", () => {
  for (const html of [
    note(100, { isFull: true }),
    note(null),
    note(101, { plan: { isActive: false } }),
    note(5_000, { plan: { plan: "trial", itemLimit: 2_002 } }),
  ])
    expect(textOf(html)).not.toContain("limit");
});

test("where items are counted, the note comes when no more may be chosen", () => {
  expect(textOf(note(undefined, { isFull: true }))).toContain("Backup limit reached");
  expect(textOf(note(undefined))).not.toContain("limit");
});
