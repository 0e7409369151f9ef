import { expect, test } from "vitest";
import type { ShellPlatform } from "#app/shell/shell-view.ts";
import { renderInFrame } from "#tests/harness/frame-screen.tsx";
import { textOf } from "#tests/harness/render-screen.tsx";
import type { Keeping } from "./queries.server.ts";
import { SubscriptionCard } from "./subscription-card.tsx";

const NOW = Date.UTC(2026, 10, 26, 9);
type Running = NonNullable<Keeping["running"]>;
const keeping = (running: Keeping["running"]): Keeping => ({
  ...{ retentionDays: 90, periodMs: 12 * 3_600_000, running },
});
/** One that renews on 2 December; its right ends later. */
const running = (cost: Running["cost"], renewsAt: Running["renewsAt"] = Date.UTC(2026, 11, 2)): Running => ({
  ...{ cost, renewsAt },
});

type CardOf = { isOwner?: boolean; used?: number; id?: string; users?: number | null };

function card(
  plan: Partial<ShellPlatform["plan"]>,
  runs: Keeping["running"] = null,
  { isOwner = true, used = 4, id = "github", users }: CardOf = {},
): string {
  const platform: ShellPlatform = {
    ...{ id, label: "GitHub", accountName: "nora", isRevoked: false, used },
    ...(users === undefined ? {} : { users }),
    plan: { plan: "pro", isActive: true, endsAt: Date.UTC(2026, 11, 5), itemLimit: 50, ...plan },
  };
  const screen = <SubscriptionCard platform={platform} keeping={keeping(runs)} />;
  return renderInFrame(screen, { pathname: "/" }, NOW, [], isOwner);
}

test("the card names the plan, what it costs, what is used and how it is kept", () => {
  const text = textOf(card({}, running({ cents: 4_800, period: "month" })));
  for (const part of [
    "Pro $48/m",
    "4 of 50 items",
    "46 left",
    "Renews 2 Dec 2026",
    "90 days, every 12 hours",
  ])
    expect(text).toContain(part);
  expect(textOf(card({}, running({ cents: 11_520, period: "year" })))).toContain("Pro $115.2/y");
  expect(textOf(card({ plan: "trial" }))).toContain("Trial $0");
  // Cancelled or not paid: it ends with its right.
  expect(textOf(card({}, running(null, null)))).toContain("Ends 5 Dec 2026");
});

test("[B-285] [P-456] a trial of Jira has no limit, and another plan of that size has one", () => {
  const trial = { plan: "trial", itemLimit: 2_002 } as const;
  const jira = { id: "jira", used: 12 };
  expect(textOf(card(trial, null, { ...jira, users: 148 }))).toContain("148 used, unlimited");
  expect(textOf(card(trial, null, { ...jira, users: null }))).toContain("Any number of users");
  expect(textOf(card(trial, null, { id: "github", used: 148 }))).toContain("148 of 2,002 items");
  const bought = (users: number | null) =>
    textOf(card({ plan: "essential", itemLimit: 2_000 }, null, { ...jira, users }));
  expect(bought(148)).toContain("148 of 2,000 users");
  expect(bought(null)).toContain("2,000 users included");
});

test("nothing is said of a cost where no subscription runs", () => {
  expect(card({})).not.toContain("$");
  expect(card({ plan: "trial", isActive: false })).not.toContain("$");
});

test("[B-005] a member who is not the owner sees neither a cost nor a button that buys", () => {
  for (const plan of [{ plan: "trial" }, { isActive: false }, {}] as const) {
    expect(card(plan)).toContain('href="/checkout"');
    const html = card(plan, running({ cents: 4_800, period: "month" }), { isOwner: false });
    expect(html).not.toContain("/checkout");
    expect(html).not.toContain("$");
  }
});
