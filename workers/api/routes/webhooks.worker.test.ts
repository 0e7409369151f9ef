import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { accounts, join } from "#tests/harness/accounts.ts";
import { heldLimits } from "#tests/harness/held-limits.ts";
import { http } from "#workers/http.ts";

const TOKEN = "secret_test";

async function deliver(body: string, { path = "/hooks/notion", token = TOKEN, key = TOKEN } = {}) {
  const context = createExecutionContext();
  const signature = `sha256=${createHmac("sha256", key).update(body).digest("hex")}`;
  const headers = { "Content-Type": "application/json", "X-Notion-Signature": signature };
  const request = new Request(`https://app.example.test${path}`, { method: "POST", headers, body });
  const answer = await heldLimits.invocation(async () =>
    http.fetch(request, { ...env, NOTION_WEBHOOK_TOKEN: token } as never, context),
  );
  await answer.text();
  await waitOnExecutionContext(context);
  return answer.status;
}

/** A connected workspace, which is due in so many hours. */
async function workspace(workspaceId: string, hours: number) {
  const deps = accounts();
  const { member } = await join(deps);
  const [connectionId, botId, itemId] = [
    `con_${crypto.randomUUID()}`,
    crypto.randomUUID(),
    `itm_${crypto.randomUUID()}`,
  ];
  await env.DB.prepare(
    `insert into connection (id, organisation_id, platform, region, external_id, name, account_type, status, details,
       created_at) values (?, ?, 'notion', 'US', ?, 'Nora', 'user', 'active', '{}', 1)`,
  )
    .bind(connectionId, member.organisationId, botId)
    .run();
  await env.LEDGER_US.prepare(
    `insert into item (id, organisation_id, connection_id, platform, kind, external_id, name, full_name, name_folded,
       visibility, details, status, is_daily, created_at)
     values (?1, ?2, ?3, 'notion', 'workspace', ?4, 'W', 'W', 'w', '', '{}', 'backuped', 1, 1)`,
  )
    .bind(itemId, member.organisationId, connectionId, workspaceId)
    .run();
  const dueAt = Date.now() + hours * HOUR_MS;
  await env.LEDGER_US.prepare(
    `insert into schedule (item_id, due_at, period_ms, organisation_id, connection_id, platform)
     values (?, ?, ?, ?, ?, 'notion')`,
  )
    .bind(itemId, dueAt, DAY_MS, member.organisationId, connectionId)
    .run();
  /** Whether it became due since. */
  const isHastened = async () => {
    const at = await env.LEDGER_US.prepare("select due_at from schedule where item_id = ?")
      .bind(itemId)
      .first<number>("due_at");
    return at !== null && at < dueAt && at <= Date.now();
  };
  return { botId, isHastened };
}

const deletion = (workspaceId: string, bots: readonly string[]) =>
  JSON.stringify({
    type: "page.deleted",
    workspace_id: workspaceId,
    accessible_by: bots.map((id) => ({ id, type: "bot" })),
  });

test("a signed deletion hastens the workspace for each account that reaches it, in the second half of its period", async () => {
  const id = crypto.randomUUID();
  const [late, early, other] = await Promise.all([workspace(id, 11), workspace(id, 13), workspace(id, 11)]);
  const strangers = Array.from({ length: 150 }, () => crypto.randomUUID());
  const body = deletion(id, [...strangers, late.botId, early.botId]);
  expect(await deliver(body, { key: "secret_other" })).toBe(400);
  expect(await deliver(body, { token: "" })).toBe(400);
  expect(await late.isHastened()).toBe(false);
  expect(await deliver(body)).toBe(200);
  expect(await late.isHastened()).toBe(true);
  expect(await early.isHastened()).toBe(false);
  expect(await other.isHastened()).toBe(false);
  expect(await deliver(deletion(crypto.randomUUID(), [other.botId]))).toBe(200);
  expect(await other.isHastened()).toBe(false);
});

test("a handshake is answered, and platforms that report nothing have no address", async () => {
  const body = JSON.stringify({ verification_token: "secret_new" });
  expect(await deliver(body, { token: "" })).toBe(200);
  expect(await deliver(body, { path: "/hooks/github" })).toBe(404);
  expect(await deliver(body, { path: "/hooks/nothing" })).toBe(404);
});
