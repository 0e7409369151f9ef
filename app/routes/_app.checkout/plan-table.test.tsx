import { expect, test } from "vitest";
import { PLANS } from "#core/billing/plans.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { renderScreen, textOf } from "#tests/harness/render-screen.tsx";
import { PlanTable } from "./plan-table.tsx";

/** The cells of the table by the label of their row: Essential, Pro, Enterprise. */
function table(): Record<string, string[]> {
  const rows = renderScreen(<PlanTable />).match(/<tr>.*?<\/tr>/gs) ?? [];
  return Object.fromEntries(
    rows.map((row) => {
      const [label = "", ...cells] = (row.match(/<t[hd][ >].*?<\/t[hd]>/gs) ?? []).map(textOf);
      return [label, cells];
    }),
  );
}
const rows = table();
const NOTHING = ["No", "Yes", "Yes"];

test("[B-041] a closed expander compares the three plans", () => {
  const html = renderScreen(<PlanTable />);
  expect(html).toMatch(/^<details class="[^"]*"><summary/);
  expect(textOf(html.match(/<summary.*?<\/summary>/s)?.[0] ?? "")).toBe("Compare plans line by line");
  expect(rows.Plan).toEqual(["Essential", "Pro", "Enterprise"]);
});

test("[B-007] [B-008] [B-009] [B-015] Essential lists its retention, period, items and support", () => {
  expect(rows.Retention?.[0]).toBe("30 days");
  expect(PLANS.essential.retentionDays).toBe(30);
  expect(rows.Backups?.[0]).toBe("Daily, every 24 hours");
  expect(PLANS.essential.periodMs).toBe(24 * HOUR_MS);
  expect(rows.Items?.[0]).toBe("Up to 1000 items");
  expect(rows["24-hour e-mail and chat support"]?.[0]).toBe("Yes");
});

test("Essential lists what every plan has", () => {
  for (const label of [
    "AES 256-bit encryption",
    "Two-factor authentication",
    "Local download",
    "E-mail notifications",
  ])
    expect([label, rows[label]]).toEqual([label, ["Yes", "Yes", "Yes"]]);
  expect(rows["Single restores"]).toEqual(["Unlimited", "Unlimited", "Unlimited"]);
});

test("[B-023] [B-025] Pro lists what it adds, with the specification's words for several people", () => {
  expect([rows.Retention?.[1], rows.Backups?.[1]]).toEqual(["90 days", "Every 12 hours"]);
  expect(PLANS.pro).toMatchObject({ retentionDays: 90, periodMs: DAY_MS / 2 });
  for (const label of [
    "Backup on demand",
    "External storage",
    "Multiple-item restores",
    "Activate/deactivate backups",
    "Telephone support",
    "Audit trail",
    "Organisations and multi-user admin (coming soon)",
  ])
    expect([label, rows[label]]).toEqual([label, NOTHING]);
});

test("[B-026] [B-027] [B-028] [B-029] Enterprise has everything in Pro, without limits, and keys of one's own later", () => {
  expect(rows.Retention?.[2]).toBe("Unlimited");
  expect(rows.Items?.[2]).toBe("Unlimited");
  expect(rows["Customer-managed keys (coming soon)"]).toEqual(["No", "No", "Yes"]);
  for (const [label, [, pro, enterprise]] of Object.entries(rows))
    if (pro !== "No" && enterprise !== "Unlimited" && label !== "Plan")
      expect([label, enterprise]).toEqual([label, pro]);
});
