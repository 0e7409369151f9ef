import { Hono } from "hono";
import { z } from "zod";
import type { JiraWorld, Person } from "./state.ts";

/** "Each request allows up to 90 accounts to be reported on." */
const MOST = 90;

const reportSchema = z.strictObject({
  accounts: z
    .array(
      z.strictObject({ accountId: z.string().min(1).max(128), updatedAt: z.iso.datetime({ offset: true }) }),
    )
    .min(1)
    .max(MOST),
});

/**
 * Atlassian's personal data reporting API, from its "User privacy guide for app developers" (read 27 November 2026): 200 with
 * the accounts that need something, 204 when none does, the header `Cycle-Period`. Refused, because nothing proves that it
 * is taken: tokens without the scope, tokens of Forge, API tokens. How a refusal looks is not documented.
 */
export function reportApp(world: JiraWorld): Hono {
  const app = new Hono();
  app.post("/app/report-accounts/", async (c) => {
    const { method, path } = c.req;
    const value = /^bearer\s+(\S+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
    const token = world.state.tokens.find((known) => known.value === value);
    if (!token || token.isRevoked || token.isForge || (token.expiresAt ?? 0) <= Date.now()) {
      return c.json({ code: 401, message: "Unauthorized" }, 401);
    }
    if (!token.scopes.includes("report:personal-data")) {
      return c.json({ code: 401, message: "Unauthorized; scope does not match" }, 401);
    }
    const report = reportSchema.safeParse(await c.req.json().catch(() => null));
    const ids = report.data?.accounts.map(({ accountId }) => accountId) ?? [];
    if (!report.success || new Set(ids).size < ids.length || ids.includes("unknown")) {
      world.refuse({
        kind: "refused",
        method,
        path,
        status: 400,
        reason: report.error?.message ?? "the accounts",
      });
      return c.json({ code: 400, message: "Bad Request" }, 400);
    }
    c.header("Cycle-Period", String(world.settings.reportCycleDays));
    const accounts = report.data.accounts.flatMap(({ accountId, updatedAt }) => {
      const status = statusOf(world.state.people, accountId, Date.parse(updatedAt));
      return status === null ? [] : [{ accountId, status }];
    });
    return accounts.length === 0 ? c.body(null, 204) : c.json({ accounts });
  });
  return app;
}

function statusOf(
  people: readonly Person[],
  accountId: string,
  heldSince: number,
): "closed" | "updated" | null {
  const person = people.find((known) => known.accountId === accountId);
  if (person?.isClosed === true) return "closed";
  return (person?.changedAt ?? 0) > heldSince ? "updated" : null;
}
