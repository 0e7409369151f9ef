import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { controlDatabase } from "#core/database/ledgers.ts";
import type { JobMessage } from "#core/jobs/index.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { randomIds } from "#core/kernel/ids.ts";
import { MailError, type OutgoingMail, queueMail, requeueMail, sendMail } from "./index.ts";

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

test("one occasion is one e-mail, however often it is written, sent and delivered at once", async () => {
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

test("a passing failure pauses the e-mail for a minute; a permanent one ends it", async () => {
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

test("the tenth failed attempt is the last", async () => {
  const deps = post();
  const id = await queued(deps);
  for (let i = 0; i < 10; i++) deps.failures.push(new MailError("busy", { isPermanent: false }));
  for (let i = 0; i < 9; i++) {
    await expect(sendMail(deps, id)).rejects.toThrow("busy");
    deps.clock.at += 2 ** i * MINUTE_MS;
  }
  expect(await sendMail(deps, id)).toBe("failed");
});

test("an e-mail whose sender died is taken over after ten minutes, not before", async () => {
  const deps = post();
  const id = await queued(deps);
  const dead = { ...deps, mailer: { send: () => new Promise<void>(() => {}) } };
  void sendMail(dead, id);
  while (!(await env.DB.prepare("select sent_at from mail_outbox where id = ?").bind(id).first("sent_at"))) {}
  expect(await sendMail(deps, id)).toBe("nothing-to-do");
  deps.clock.at += 10 * MINUTE_MS + 1;
  expect(await sendMail(deps, id)).toBe("sent");
});

test("an e-mail that lost its job is queued again after five minutes", async () => {
  const deps = post();
  const id = await queued(deps);
  await requeueMail(deps);
  const has = () => deps.jobs.some(({ payload }) => "mailId" in payload && payload.mailId === id);
  expect(has()).toBe(false);
  deps.clock.at += 5 * MINUTE_MS + 1;
  await requeueMail(deps);
  expect(has()).toBe(true);
});
