import { env } from "cloudflare:workers";
import { connection, member, organisation, user } from "#core/database/control/index.ts";
import { item, run, snapshot } from "#core/database/ledger/index.ts";
import { controlDatabase, ledgerDatabase } from "#core/database/ledgers.ts";
import type { JobMessage } from "#core/jobs/index.ts";
import { randomBytes, toHex } from "#core/kernel/crypto.ts";
import { randomIds } from "#core/kernel/ids.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import { type OutgoingMail, sendMail } from "#core/mail/index.ts";
import { buildReport } from "#core/reports/index.ts";
import type { Preference } from "#core/reports/preference.ts";
import { savePreferenceRow } from "#core/reports/preferences.store.ts";
import type { MailServices, Uses } from "#core/services.ts";

const KEYS = "1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";

/** Services on the real databases, with a clock, a queue and a mailer that the test controls. */
export function reportWorld(startsAt: number) {
  const clock = { at: startsAt, now: () => clock.at };
  const jobs: JobMessage[] = [];
  const sent: OutgoingMail[] = [];
  const services: MailServices & Uses<"ledger" | "connectors"> = {
    control: controlDatabase(env),
    ledger: (region) => ledgerDatabase(env, region),
    clock,
    ids: randomIds,
    queue: { send: async (messages) => void jobs.push(...messages) },
    connectors: new Map(
      ["github", "trello"].map((id) => [id, { descriptor: { label: id } }]),
    ) as unknown as Uses<"connectors">["connectors"],
    settings: {
      MASTER_KEYS: KEYS,
      LINK_KEYS: KEYS,
      PUBLIC_URL: "https://app.example.test",
      BACKUP_NOW_WINDOW_MINUTES: 15,
      RESTRICTED_MODE: "off" as const,
    },
  };
  const deps = { ...services, mailer: { send: async (mail: OutgoingMail) => void sent.push(mail) } };
  const work = async (job: JobMessage) => {
    if (job.job === "build-report") await buildReport(deps, job.payload);
    if (job.job === "send-mail") await sendMail(deps, job.payload.mailId);
  };
  const drain = async () => {
    for (let job = jobs.shift(); job; job = jobs.shift()) await work(job);
  };
  return { ...deps, clock, jobs, sent, work, drain };
}
export type ReportWorld = ReturnType<typeof reportWorld>;

const unique = (prefix: string) => `${prefix}_${toHex(randomBytes(12))}`;

/** An organisation with one connection per platform, and its owner. */
export async function addOwner(
  world: ReportWorld,
  {
    timeZone = "UTC",
    platforms = { github: "US" },
  }: { timeZone?: string; platforms?: Record<string, Region> } = {},
) {
  const organisationId = unique("org");
  const owner = await addPerson(world);
  await world.control
    .insert(organisation)
    .values({ id: organisationId, name: "", ownerUserId: owner.userId, timeZone, createdAt: 0 });
  await world.control.insert(member).values({
    id: unique("mem"),
    organisationId,
    userId: owner.userId,
    role: "owner",
    platformRoles: {},
    createdAt: 0,
  });
  for (const [platform, region] of Object.entries(platforms)) {
    await world.control.insert(connection).values({
      id: unique("con"),
      organisationId,
      platform,
      region,
      externalId: "1",
      name: "octo",
      accountType: "User",
      status: "active",
      details: {},
      createdAt: 0,
    });
  }
  return { ...owner, organisationId, timeZone };
}

async function addPerson(world: ReportWorld, isEmailVerified = true) {
  const userId = unique("usr");
  const email = `${userId}@example.com`;
  await world.control.insert(user).values({
    id: userId,
    name: "Ann",
    email,
    emailVerified: isEmailVerified,
    createdAt: new Date(0),
    updatedAt: new Date(0),
  });
  return { userId, email };
}

/** A colleague with roles on some platforms. */
export async function addColleague(
  world: ReportWorld,
  organisationId: string,
  platformRoles: Record<string, "admin" | "user">,
  { isEmailVerified = true } = {},
) {
  const person = await addPerson(world, isEmailVerified);
  await world.control.insert(member).values({
    id: unique("mem"),
    organisationId,
    userId: person.userId,
    role: "member",
    platformRoles,
    createdAt: 1,
  });
  return person;
}

/** One ended or open run of a new item. */
export async function addRun(
  world: ReportWorld,
  order: {
    organisationId: string;
    at: number;
    createdAt?: number;
    platform?: string;
    region?: Region;
    kind?: "backup" | "restore" | "verify";
    status?: "queued" | "running" | "succeeded" | "failed";
    name?: string;
    itemId?: string;
    skippedCount?: number;
    missing?: number;
  },
): Promise<{ itemId: string }> {
  const { platform = "github", region = "US", kind = "backup", status = "succeeded" } = order;
  const ledger = world.ledger(region);
  const itemId = order.itemId ?? unique("itm");
  const runId = unique("run");
  const isOpen = status === "queued" || status === "running";
  if (!order.itemId) {
    await ledger.insert(item).values({
      id: itemId,
      organisationId: order.organisationId,
      connectionId: itemId,
      platform,
      kind: "repository",
      externalId: "1",
      name: order.name ?? "api",
      fullName: "octo/api",
      nameFolded: "api",
      visibility: "private",
      details: {},
      status: "backuped",
      isDaily: true,
      createdAt: 0,
    });
  }
  const snapshotId = order.skippedCount === undefined ? null : unique("snp");
  await ledger.insert(run).values({
    id: runId,
    snapshotId,
    organisationId: order.organisationId,
    connectionId: itemId,
    itemId,
    platform,
    kind,
    trigger: "schedule",
    status,
    createdAt: order.createdAt ?? order.at,
    finishedAt: isOpen ? null : order.at,
    errorText: status === "failed" ? "GitHub did not answer." : null,
    report: order.missing
      ? { missing: Array.from({ length: order.missing }, () => ({ what: "x", reason: "y" })) }
      : null,
  });
  if (snapshotId !== null) {
    await ledger.insert(snapshot).values({
      id: snapshotId,
      organisationId: order.organisationId,
      itemId,
      runId,
      takenAt: order.at,
      manifestId: "m",
      sizeBytes: 1,
      newBytes: 1,
      skippedCount: order.skippedCount,
      verifyState: "verified",
      expiresAt: order.at * 2,
    });
  }
  return { itemId };
}

/** Sets a preference as the settings screen does. */
export async function prefer(world: ReportWorld, userId: string, change: Partial<Preference>): Promise<void> {
  const preference: Preference = {
    isActive: true,
    frequency: "daily",
    reportType: "all",
    reportDay: null,
    timeZone: "UTC",
    ...change,
  };
  await savePreferenceRow(world.control, { userId, preference, now: world.clock.at });
}
