import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { controlDatabase } from "#core/database/ledgers.ts";
import type { JobMessage } from "#core/jobs/index.ts";
import { DAY_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { randomIds } from "#core/kernel/ids.ts";
import { MailError, type OutgoingMail, pruneMail, queueMail, requeueMail, sendMail } from "./index.ts";
import { samples } from "./test-messages.ts";

function post() {
  const clock = { at: Date.UTC(2026, 10, 3), now: () => clock.at };
  const sent: OutgoingMail[] = [];
  const failures: Error[] = [];
  const mailer = {
    send: async (mail: OutgoingMail) => {
      const failure = failures.shift();
      if (failure) throw failure;
      sent.push(mail);
    },
  };
  const jobs: JobMessage[] = [];
  const queue = { send: async (messages: readonly JobMessage[]) => void jobs.push(...messages) };
  const settings = { MASTER_KEYS: "1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8" };
  return {
    settings,
    control: controlDatabase(env),
    clock,
    ids: randomIds,
    mailer,
    queue,
    sent,
    failures,
    jobs,
  };
}

const order = (occasion: string) => ({
  occasion,
  organisationId: null,
  recipient: "ann@example.com",
  message: "connection-lost" as const,
  data: { platformLabel: "GitHub", accountName: "octo", reconnectUrl: "https://app.example.test/c" },
});

async function queued(deps: ReturnType<typeof post>): Promise<string> {
  const { statement, job } = await queueMail(deps, order(`test:${crypto.randomUUID()}`));
  await deps.control.batch([statement]);
  return (job.payload as { mailId: string }).mailId;
}

test("an occasion sends one e-mail, however often it is queued or delivered", async () => {
  const deps = post();
  const occasion = `test:${crypto.randomUUID()}`;
  const first = await queueMail(deps, order(occasion));
  const second = await queueMail(deps, order(occasion));
  await deps.control.batch([first.statement, second.statement]);
  const ids = [first, second].map(({ job }) => (job.payload as { mailId: string }).mailId);
  await Promise.all([...ids, ...ids, ...ids].map((id) => sendMail(deps, id)));
  expect(await sendMail(deps, ids[0]!)).toBe("nothing-to-do");
  expect(deps.sent.map(({ to, key }) => [to, key])).toEqual([["ann@example.com", ids[0]]]);
});

test("a temporary failure delays the e-mail by a minute; a permanent one ends it", async () => {
  const deps = post();
  const id = await queued(deps);
  deps.failures.push(new MailError("busy", { isPermanent: false }));
  await expect(sendMail(deps, id)).rejects.toThrow("busy");
  expect(await sendMail(deps, id)).toBe("nothing-to-do");
  deps.clock.at += MINUTE_MS;
  expect(await sendMail(deps, id)).toBe("sent");
  const refused = await queued(deps);
  deps.failures.push(new MailError("no such address", { isPermanent: true }));
  expect(await sendMail(deps, refused)).toBe("failed");
  expect(await sendMail(deps, refused)).toBe("nothing-to-do");
  expect(deps.sent).toHaveLength(1);
});

test("sending is attempted ten times", async () => {
  const deps = post();
  const id = await queued(deps);
  for (let i = 0; i < 10; i++) deps.failures.push(new MailError("busy", { isPermanent: false }));
  for (let i = 0; i < 9; i++) {
    await expect(sendMail(deps, id)).rejects.toThrow("busy");
    deps.clock.at += 2 ** i * MINUTE_MS;
  }
  expect(await sendMail(deps, id)).toBe("failed");
});

test("an e-mail whose sender crashed is retried after ten minutes", async () => {
  const deps = post();
  const id = await queued(deps);
  const dead = { ...deps, mailer: { send: () => new Promise<void>(() => {}) } };
  void sendMail(dead, id);
  while (!(await env.DB.prepare("select sent_at from mail_outbox where id = ?").bind(id).first("sent_at"))) {}
  expect(await sendMail(deps, id)).toBe("nothing-to-do");
  deps.clock.at += 10 * MINUTE_MS + 1;
  expect(await sendMail(deps, id)).toBe("sent");
});

test("an e-mail without a job is queued again after five minutes", async () => {
  const deps = post();
  const id = await queued(deps);
  await requeueMail(deps);
  const has = () => deps.jobs.some(({ payload }) => "mailId" in payload && payload.mailId === id);
  expect(has()).toBe(false);
  deps.clock.at += 5 * MINUTE_MS + 1;
  await requeueMail(deps);
  expect(has()).toBe(true);
});

const stored = (id: string) =>
  env.DB.prepare("select data, status from mail_outbox where id = ?")
    .bind(id)
    .first<{ data: string; status: string }>();

async function queuedCode(deps: ReturnType<typeof post>): Promise<string> {
  const { statement, job } = await queueMail(deps, {
    occasion: `test:${crypto.randomUUID()}`,
    organisationId: null,
    recipient: "ann@example.com",
    message: "recovery-code",
    data: { code: "K7QF-2M9X", minutes: 15 },
  });
  await deps.control.batch([statement]);
  return (job.payload as { mailId: string }).mailId;
}

test("a code in the outbox is sealed, sent readable, and erased afterwards", async () => {
  const deps = post();
  const id = await queuedCode(deps);
  const { data } = (await stored(id))!;
  expect(data).toMatch(/^"m1\.1\.[A-Za-z0-9_-]+"$/);
  const whole = JSON.stringify(
    await env.DB.prepare("select * from mail_outbox where id = ?").bind(id).first(),
  );
  expect(whole).not.toContain("K7QF");
  expect(await sendMail(deps, id)).toBe("sent");
  expect(deps.sent[0]!.text).toContain("K7QF-2M9X");
  expect(await stored(id)).toEqual({ data: "{}", status: "sent" });
});

test("data of permanently failed e-mails is erased; data of pending ones is kept", async () => {
  const deps = post();
  const id = await queuedCode(deps);
  const before = await stored(id);
  deps.failures.push(
    new MailError("busy", { isPermanent: false }),
    new MailError("no", { isPermanent: true }),
  );
  await expect(sendMail(deps, id)).rejects.toThrow("busy");
  expect(await stored(id)).toEqual(before);
  deps.clock.at += MINUTE_MS;
  expect(await sendMail(deps, id)).toBe("failed");
  expect(await stored(id)).toEqual({ data: "{}", status: "failed" });
});

test("sealed data opens only in its own row, and a failure logs none of it", async () => {
  const deps = post();
  const [id, other] = [await queuedCode(deps), await queuedCode(deps)];
  await env.DB.prepare(
    "update mail_outbox set data = (select data from mail_outbox where id = ?) where id = ?",
  )
    .bind(other, id)
    .run();
  const lines: string[] = [];
  const write = vi.spyOn(console, "error").mockImplementation((...parts) => void lines.push(parts.join(" ")));
  expect(await sendMail(deps, id)).toBe("failed");
  write.mockRestore();
  expect(deps.sent).toEqual([]);
  expect(lines.join("\n")).toContain(id);
  expect(lines.join("\n")).toContain("VaultError");
  expect(lines.join("\n")).not.toMatch(/K7QF|ann@example\.com|m1\.1\./);
});

test("an unsealed row of an earlier release is still sent", async () => {
  const deps = post();
  const { data, ...row } = order(`test:${crypto.randomUUID()}`);
  await env.DB.prepare(
    "insert into mail_outbox (id, occasion, recipient, message, data, status, created_at) values ('mai_old', ?, ?, ?, ?, 'queued', 0)",
  )
    .bind(row.occasion, row.recipient, row.message, JSON.stringify(data))
    .run();
  expect(await sendMail(deps, "mai_old")).toBe("sent");
  expect(deps.sent[0]!.subject).toContain("octo");
});

test("every message renders in the Worker's runtime", async () => {
  const deps = post();
  for (const [message, data] of Object.entries(samples)) {
    const { statement, job } = await queueMail(deps, {
      occasion: `test:${crypto.randomUUID()}`,
      organisationId: null,
      recipient: "ann@example.com",
      message: message as keyof typeof samples,
      data,
    });
    await deps.control.batch([statement]);
    expect(await sendMail(deps, (job.payload as { mailId: string }).mailId)).toBe("sent");
    expect(deps.sent.at(-1)!.html).toContain("</html>");
  }
  expect(deps.sent.find(({ replyTo }) => replyTo === "bo@example.com")).toBeDefined();
  expect(deps.sent.find(({ headers }) => headers?.["List-Unsubscribe-Post"])).toBeDefined();
});

test("finished e-mails are deleted after four hundred days; pending ones are not", async () => {
  const deps = post();
  const ids = { sent: await queued(deps), failed: await queued(deps), waiting: await queued(deps) };
  await sendMail(deps, ids.sent);
  deps.failures.push(new MailError("no such address", { isPermanent: true }));
  await sendMail(deps, ids.failed);
  deps.clock.at += 400 * DAY_MS;
  const recent = await queued(deps);
  await sendMail(deps, recent);
  const left = async () => {
    const { results } = await env.DB.prepare("select id from mail_outbox").all<{ id: string }>();
    const stands = new Set(results.map(({ id }) => id));
    return [ids.sent, ids.failed, ids.waiting, recent].map((id) => stands.has(id));
  };
  await pruneMail(deps);
  expect(await left()).toEqual([true, true, true, true]);
  deps.clock.at += 1;
  await pruneMail(deps);
  expect(await left()).toEqual([false, false, true, true]);
});

test("one sweep deletes at most a thousand e-mails; the next ones delete the rest", async () => {
  const deps = post();
  deps.clock.at = Date.UTC(2030, 0, 1);
  while ((await pruneMail(deps)) > 0);
  await env.DB.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 1100)
     insert into mail_outbox (id, occasion, recipient, message, data, status, created_at)
     select 'mai_old' || i, 'old:' || i, 'ann@example.com', 'report', '{}', 'sent', i from n`,
  ).run();
  expect(await pruneMail(deps)).toBe(1_000);
  expect(await pruneMail(deps)).toBe(100);
  expect(await pruneMail(deps)).toBe(0);
});
