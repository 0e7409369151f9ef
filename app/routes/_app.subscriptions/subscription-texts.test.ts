import { expect, test } from "vitest";
import type { PlatformStatus, SubscriptionView } from "#app/money/billing-queries.ts";
import {
  cancelCalendar,
  monthlySum,
  nextInvoice,
  rowsOf,
  titleOf,
  whenTexts,
  withGranted,
} from "./subscription-texts.ts";

const day = (at: number) => new Date(at).toISOString().slice(0, 10);
const at = (date: string) => Date.parse(`${date}T00:00:00Z`);

function status(more: Partial<SubscriptionView>, used = 46): PlatformStatus {
  return {
    addedItemsQuantity: used,
    subscription: {
      ...{
        type: "subscription",
        status: "active",
        platformName: "GitHub",
        planName: "Pro",
        plan: "pro_plan",
      },
      ...{ isAnnual: false, isCancel: false, periodHours: 12, cost: 48, rightEnds: null, removedAt: null },
      removed: null,
      ...{ moneyBack: null, isDisputed: false },
      finishDateInMillisecond: at("2026-12-02"),
      ...more,
    },
  } as PlatformStatus;
}
const row = (more: Partial<SubscriptionView>) => rowsOf({ github: status(more) })[0]!;

test("platforms that were never started have no line, and the worst comes first", () => {
  const rows = rowsOf({
    github: status({}),
    trello: status({ type: "no-sub", platformName: "Trello" }),
    gitlab: status({ status: "past_due", platformName: "GitLab" }),
  });
  expect(rows.map(titleOf)).toEqual(["GitLab Pro", "GitHub Pro"]);
});

test.each<[Partial<SubscriptionView>, string, string]>([
  [{}, "Renews 2026-12-02", "billed monthly"],
  [{ moneyBack: at("2026-11-20") }, "No right to use it", "the payment for this period was given back"],
  [
    { moneyBack: at("2026-11-20"), rightEnds: at("2026-12-05") },
    "Ends 2026-12-05",
    "the payment for this period was given back",
  ],
  [{ isAnnual: true }, "Renews 2026-12-02", "billed annually"],
  [{ isCancel: true }, "Active until 2026-12-02, then stops", "no further invoice"],
  [
    { status: "past_due", rightEnds: at("2026-11-28") },
    "Runs until 2026-11-28",
    "the last payment was declined",
  ],
  [{ status: "unpaid", removedAt: at("2026-12-28") }, "Backups are paused", "Versions until 2026-12-28"],
  [{ status: "trialing" }, "Ends 2026-12-02", "no card needed until then"],
  [{ status: "incomplete" }, "Not active yet", "the payment is not finished"],
  [{ status: "paused" }, "On hold", "write to us, and we look into it"],
  [
    { status: "canceled", removedAt: at("2027-01-01") },
    "Versions until 2027-01-01",
    "they can be restored and downloaded",
  ],
  [{ status: "inactive" }, "Ended", "2026-12-02"],
  [
    {
      ...{ status: "canceled", removedAt: at("2027-01-01") },
      removed: { at: at("2027-01-02"), items: 46, versions: 1_380 },
    },
    "Removed 2027-01-02",
    "46 repositories with 1,380 versions",
  ],
])("%j: %s", (more, what, note) => {
  expect(whenTexts(row(more), day)).toEqual({ what, note });
});

test("the next invoice is the soonest that renews, and a month counts a twelfth of a year", () => {
  const rows = rowsOf({
    github: status({}),
    gitlab: status({
      ...{ platformName: "GitLab", isAnnual: true, cost: 115.2, isCancel: true },
      finishDateInMillisecond: at("2026-11-30"),
    }),
    trello: status({ platformName: "Trello", cost: 10, finishDateInMillisecond: at("2026-12-09") }),
  });
  expect(nextInvoice(rows)).toMatchObject({ at: at("2026-12-02"), cents: 4_800 });
  expect(monthlySum(rows)).toEqual({
    cents: 4_800 + 960 + 1_000,
    after: { cents: 5_800, label: "GitLab", at: at("2026-11-30") },
  });
  expect(nextInvoice([])).toBeNull();
});

test("a plan that was agreed on with us has a line, although the payment provider knows none", () => {
  const none = status({ type: "no-sub", id: null, cost: null, planName: null, status: "inactive" });
  const plan = { plan: "pro", isActive: true, endsAt: at("2027-01-01"), itemLimit: 1_001 };
  const [line] = rowsOf(withGranted({ github: none }, [{ id: "github", label: "GitHub", plan }]));
  expect(line && titleOf(line)).toBe("GitHub Pro");
  expect(line?.subscription).toMatchObject({ status: "active", quantity: 1_001, cost: null });
  const bought = { github: status({}) };
  expect(withGranted(bought, [{ id: "github", label: "GitHub", plan }])).toEqual(bought);
});

test("a cancellation's calendar tells what stops when, to the day on which backups are removed", () => {
  const lines = cancelCalendar(row({}));
  expect(lines.map(({ word, at: when }) => `${word} ${when === null ? "" : day(when)}`)).toEqual([
    "until 2026-12-02",
    "on 2026-12-02",
    "until 2027-01-01",
    "on 2027-01-01",
  ]);
  expect(lines[0]?.what).toBe("Everything runs as now, every 12 hours");
  expect(lines[1]?.what).toBe("Backups of 46 repositories stop");
});
