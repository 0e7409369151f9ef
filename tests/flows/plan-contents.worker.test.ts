import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  checkTwoFactor,
  createFactorSecret,
  createSession,
  disableTwoFactor,
  enableTwoFactor,
  verifyFactorCode,
} from "#core/accounts/index.ts";
import { codeOfStep, stepAt } from "#core/accounts/totp.ts";
import { dispatchDue } from "#core/backups/index.ts";
import { openZipDownload, requestZip, zipRange } from "#core/exports/index.ts";
import type { ItemView } from "#core/inventory/index.ts";
import { DAY_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { sendReports } from "#core/reports/index.ts";
import { requestRestores } from "#core/restores/index.ts";
import { expire } from "#core/upkeep/index.ts";
import { fromBase32 } from "#tests/harness/accounts.ts";
import { listKeys } from "#tests/harness/empty-bindings.ts";
import { backUpNow, findRun, listSnapshots, newestSnapshot } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, KIND, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";

/** What the plans contain (spec part 3 section 1, "Plan contents"). */

let world: FlowWorld;
let item: ItemView;
beforeAll(async () => {
  world = await openFlowWorld();
  item = await world.protect("harbour-charts", "tiny");
  await world.drain();
});
afterAll(() => world.close());

const sell = (plan: "essential" | "pro") =>
  env.DB.prepare("UPDATE subscription SET plan = ? WHERE organisation_id = ?")
    .bind(plan, world.member.organisationId)
    .run();

/** The backup of the next day, which both plans make. */
async function backUpByItself(): Promise<void> {
  world.clock.advance(DAY_MS);
  expect(await world.tick(dispatchDue)).toMatchObject({ done: 1 });
  await world.drain();
}

/** Backs the repository up after a change, and checks what is stored of it. */
async function expectEncrypted(): Promise<void> {
  const bucket = env[`VAULT_${world.region}`];
  const encrypt = vi.spyOn(crypto.subtle, "encrypt");
  await world.outside.control(`repos/${item.fullName}/commits`, { count: 1 });
  await backUpByItself();
  const keys = encrypt.mock.calls.map(([, key]) => key.algorithm);
  encrypt.mockRestore();
  expect(keys.length).toBeGreaterThan(0);
  for (const algorithm of keys) expect(algorithm).toMatchObject({ name: "AES-GCM", length: 256 });
  const stored = await listKeys(bucket);
  expect(stored.length).toBeGreaterThan(0);
  for (const key of stored) {
    const text = new TextDecoder("latin1").decode(await (await bucket.get(key))!.arrayBuffer());
    for (const plain of [item.name, "nora-lindqvist", "refs/heads", "PACK", '"type"'])
      expect([key, plain, text.includes(plain)]).toEqual([key, plain, false]);
  }
}

async function expectDownload(): Promise<void> {
  const { id: snapshotId } = await newestSnapshot(world, item.id);
  const order = { platform: PLATFORM, itemId: item.id, snapshotId };
  const answer = await requestZip(world.services, world.member, order);
  if (answer.kind !== "ready") throw new Error("The ZIP is not ready.");
  const { layout, read } = await openZipDownload(world.services, answer.url.split("/").at(-1)!);
  const head: Uint8Array[] = [];
  for await (const bytes of zipRange(layout, { from: 0, to: 4 }, read)) head.push(bytes);
  expect([...head[0]!.subarray(0, 4)]).toEqual([0x50, 0x4b, 3, 4]);
}

async function expectRestores(prefix: string): Promise<void> {
  const { id: snapshotId } = await newestSnapshot(world, item.id);
  for (let time = 0; time < 2; time += 1) {
    const { runIds } = await requestRestores(world.services, world.member, {
      platform: PLATFORM,
      kind: KIND,
      items: [{ itemId: item.id, snapshotId, name: `${prefix}-${time}`, place: null }],
      placeId: null,
      emails: [],
    });
    await world.drain();
    expect(runIds).toHaveLength(1);
    expect((await findRun(world, runIds[0]!)).status).toBe("succeeded");
  }
}

/** Enables the second factor of the owner, and disables it again. */
async function expectSecondFactor(): Promise<void> {
  const { services, member, clock } = world;
  const { userId } = member;
  const { session } = await createSession(services, { userId, isRemembered: false });
  const { secret } = await createFactorSecret(services, { member, sessionId: session.id });
  const prove = async (sessionId: string) => {
    clock.advance(MINUTE_MS);
    const code = codeOfStep(fromBase32(secret), stepAt(clock.now()));
    await verifyFactorCode(services, { member, sessionId, code });
  };
  await prove(session.id);
  const enabled = await enableTwoFactor(services, { member, sessionId: session.id });
  expect((await checkTwoFactor(services, userId)).isEnabled).toBe(true);
  await prove(enabled.session.id);
  await disableTwoFactor(services, { member, sessionId: enabled.session.id });
  await world.drain();
}

/** A backup that the schedule makes is in the report of the next day. */
async function expectReport(): Promise<void> {
  const { member, clock, mails } = world;
  await backUpByItself();
  mails.length = 0;
  const nextDay = (Math.floor(clock.now() / DAY_MS) + 1) * DAY_MS;
  clock.advance(nextDay + DAY_MS / 2 - clock.now());
  expect(await world.tick(sendReports)).toBe(1);
  await world.drain();
  const reports = mails.filter(({ to }) => to === member.email).map(({ subject }) => subject);
  expect(reports).toEqual([expect.stringMatching(/^Daily backup report: [1-9]\d* succeeded/)]);
}

test("[B-010] what is stored is encrypted with AES-256 and shows nothing of what was backed up", async () => {
  await sell("essential");
  await expectEncrypted();
});

test("[B-012] [B-013] on Essential a ZIP is downloaded, and single items are restored again and again", async () => {
  await sell("essential");
  await expectDownload();
  await expectRestores("again");
});

test("[B-011] on Essential a person enables the second factor", async () => {
  await sell("essential");
  await expectSecondFactor();
});

test("[B-014] on Essential the report of the day before comes by e-mail", async () => {
  await sell("essential");
  await expectReport();
});

test("[B-016] Pro includes everything of Essential", async () => {
  await sell("pro");
  await expectEncrypted();
  await expectDownload();
  await expectRestores("pro");
  await expectSecondFactor();
  await expectReport();
});

test("[B-017] on Pro a version of 80 days stays, and one of 91 days goes", async () => {
  await sell("pro");
  const kept = await world.protect("kept-long", "tiny");
  await world.drain();
  const old = await newestSnapshot(world, kept.id);
  await world.outside.control(`repos/${kept.fullName}/commits`, { count: 1 });
  await backUpNow(world, kept.id);
  const versionsAt = async (days: number) => {
    world.clock.advance(old.taken_at + days * DAY_MS - world.clock.now());
    await world.tick(expire);
    return (await listSnapshots(world, kept.id)).map(({ id }) => id);
  };
  const [newer] = await listSnapshots(world, kept.id);
  expect(await versionsAt(80)).toEqual([newer?.id, old.id]);
  expect(await versionsAt(91)).toEqual([newer?.id]);
});
