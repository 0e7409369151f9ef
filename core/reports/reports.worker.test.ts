import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { JobMessage } from "#core/jobs/index.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import {
  addColleague,
  addOwner,
  addRun,
  prefer,
  type ReportWorld,
  reportWorld,
} from "#tests/harness/report-world.ts";
import {
  defaultPreference,
  followSubscriptionLink,
  getPreferences,
  savePreferences,
  sealSubscription,
  sendReports,
  setSubscription,
} from "./index.ts";
import { dayToReport, periodNameOn } from "./period.ts";
import type { Preference } from "./preference.ts";

const NINE = Date.parse("2026-11-20T09:00:00Z");
const YESTERDAY = Date.parse("2026-11-19T12:00:00Z");

/** Runs one tick and all jobs it queues. Returns the mails that this person got. */
async function tick(world: ReportWorld, email: string) {
  await sendReports(world);
  await world.drain();
  return world.sent.filter(({ to }) => to === email);
}

test("by default a daily report covers yesterday and is sent once, at any number of ticks", async () => {
  const world = reportWorld(NINE);
  const { email, organisationId } = await addOwner(world);
  await addRun(world, { organisationId, at: YESTERDAY });
  await addRun(world, { organisationId, at: YESTERDAY, status: "failed", name: "web" });
  await addRun(world, { organisationId, at: YESTERDAY, skippedCount: 2, name: "docs" });
  await addRun(world, { organisationId, at: YESTERDAY, kind: "restore", missing: 1, name: "old" });
  await addRun(world, { organisationId, at: YESTERDAY, kind: "verify" });
  await addRun(world, { organisationId, at: YESTERDAY - DAY_MS });
  await addRun(world, { organisationId, at: NINE - HOUR_MS });
  const [mail] = await tick(world, email);
  expect(mail!.subject).toBe("Daily backup report: 1 succeeded, 2 partly, 1 failed");
  expect(mail!.text).toContain("19 November 2026 (UTC)");
  expect(mail!.text).toContain(
    "- web (github backup)\n  GitHub did not answer.\n  https://app.example.test/platform/",
  );
  expect(mail!.text).toContain("- docs (github backup)\n  2 parts could not be read");
  expect(mail!.text).toContain(
    "- old (github restore)\n  Not everything was restored. The history lists what is missing.",
  );
  expect(mail!.headers?.["List-Unsubscribe"]).toContain("/api/mail/unsubscribe?content=");
  for (let i = 0; i < 3; i++) {
    world.clock.at += HOUR_MS;
    expect(await tick(world, email)).toHaveLength(1);
  }
});

test("concurrent ticks and repeated jobs write one report", async () => {
  const world = reportWorld(NINE);
  const { userId, email, organisationId } = await addOwner(world);
  await addRun(world, { organisationId, at: YESTERDAY });
  await Promise.all([sendReports(world), sendReports(world)]);
  const mine = world.jobs.filter(({ payload }) => "userId" in payload && payload.userId === userId);
  expect(mine).toHaveLength(2);
  world.jobs.length = 0;
  await Promise.all([...mine, ...mine].map(world.work));
  await world.drain();
  expect(world.sent.filter(({ to }) => to === email)).toHaveLength(1);
});

test("[A-187] reports follow switch, frequency, day and kind", async () => {
  const world = reportWorld(NINE);
  const wishes: [Partial<Preference>, string | null][] = [
    [{}, "Daily backup report: 1 succeeded, 1 failed"],
    [{ isActive: false }, null],
    [{ reportType: "succeeded" }, "Daily backup report: 1 succeeded"],
    [{ reportType: "failed" }, "Daily backup report: 1 failed"],
    [{ reportType: null }, null],
    // 20 November 2026 is a Friday.
    [{ frequency: "weekly", reportDay: "friday" }, "Weekly backup report: 2 succeeded, 1 failed"],
    [{ frequency: "weekly", reportDay: "saturday" }, null],
  ];
  const { organisationId } = await addOwner(world);
  await addRun(world, { organisationId, at: YESTERDAY });
  await addRun(world, { organisationId, at: YESTERDAY, status: "failed" });
  await addRun(world, { organisationId, at: Date.parse("2026-11-13T00:00:00Z") });
  await addRun(world, { organisationId, at: Date.parse("2026-11-12T23:59:59Z") });
  const people = [];
  for (const [wish, subject] of wishes) {
    const person = await addColleague(world, organisationId, { github: "user" });
    await prefer(world, person.userId, wish);
    people.push({ ...person, subject });
  }
  await sendReports(world);
  await world.drain();
  for (const { email, subject } of people) {
    expect(world.sent.find(({ to }) => to === email)?.subject ?? null).toBe(subject);
  }
});

test("each person's day ends in their own time zone", async () => {
  // 08:30 in Berlin, 02:30 in New York, 16:30 in Tokyo.
  const world = reportWorld(Date.parse("2026-11-20T07:30:00Z"));
  const { organisationId } = await addOwner(world);
  await addRun(world, { organisationId, at: Date.parse("2026-11-18T23:30:00Z"), name: "late" });
  await addRun(world, { organisationId, at: Date.parse("2026-11-19T16:30:00Z"), name: "noon" });
  const at = async (timeZone: string) => {
    const person = await addColleague(world, organisationId, { github: "admin" });
    await prefer(world, person.userId, { timeZone });
    return person.email;
  };
  const [berlin, newYork, tokyo] = [
    await at("Europe/Berlin"),
    await at("America/New_York"),
    await at("Asia/Tokyo"),
  ];
  await sendReports(world);
  await world.drain();
  const textOf = (email: string) => world.sent.find(({ to }) => to === email)?.text;
  // In Berlin 23:30 UTC is 00:30 of the 19th; in Tokyo 16:30 UTC is 01:30 of the 20th, which is not over.
  expect(textOf(berlin)).toContain("github backups: 2 succeeded");
  expect(textOf(tokyo)).toContain("github backups: 1 succeeded");
  expect(textOf(newYork)).toBeUndefined();
  world.clock.at = Date.parse("2026-11-20T13:00:00Z");
  await sendReports(world);
  await world.drain();
  expect(textOf(newYork)).toContain("github backups: 1 succeeded");
});

test("a day with a clock change is reported in full", async () => {
  const world = reportWorld(Date.parse("2026-10-26T07:00:00Z"));
  const { organisationId, email } = await addOwner(world, { timeZone: "Europe/Berlin" });
  // The 25th has 25 hours there: from 22:00 UTC of the 24th until 23:00 UTC.
  for (const at of [
    "2026-10-24T21:59:59Z",
    "2026-10-24T22:00:00Z",
    "2026-10-25T22:59:59Z",
    "2026-10-25T23:00:00Z",
  ]) {
    await addRun(world, { organisationId, at: Date.parse(at) });
  }
  expect((await tick(world, email))[0]!.text).toContain("github backups: 2 succeeded");
});

test("a report covers only platforms the person may see, in all regions", async () => {
  const world = reportWorld(NINE);
  const { organisationId, email } = await addOwner(world, { platforms: { github: "US", trello: "DE" } });
  const colleague = await addColleague(world, organisationId, { trello: "user" });
  const stranger = await addColleague(world, organisationId, {});
  const unproved = await addColleague(world, organisationId, { github: "user" }, { isEmailVerified: false });
  await addRun(world, { organisationId, at: YESTERDAY, status: "failed", name: "secret-repository" });
  await addRun(world, { organisationId, at: YESTERDAY, platform: "trello", region: "DE" });
  await sendReports(world);
  await world.drain();
  const textOf = (to: string) => world.sent.find((mail) => mail.to === to)?.text;
  expect(textOf(email)).toContain("secret-repository");
  expect(textOf(email)).toContain("trello backups: 1 succeeded");
  expect(textOf(colleague.email)).toContain("trello backups: 1 succeeded");
  expect(textOf(colleague.email)).not.toMatch(/secret-repository|github/);
  expect(textOf(stranger.email)).toBeUndefined();
  expect(textOf(unproved.email)).toBeUndefined();
});

test("a day without due backups sends no mail; a backup that hangs does", async () => {
  const world = reportWorld(NINE);
  const quiet = await addOwner(world);
  const stuck = await addOwner(world);
  const good = await addOwner(world);
  await prefer(world, good.userId, { reportType: "failed" });
  await addRun(world, { ...stuck, at: YESTERDAY, status: "running" });
  await addRun(world, { ...good, at: YESTERDAY });
  await sendReports(world);
  await world.drain();
  const of = (email: string) => world.sent.filter(({ to }) => to === email).map(({ subject }) => subject);
  expect(of(quiet.email)).toEqual([]);
  expect(of(good.email)).toEqual([]);
  expect(of(stuck.email)).toEqual(["Daily backup report: 1 backup under way"]);
});

test("a run that started two days ago counts on the day it ended", async () => {
  const world = reportWorld(NINE);
  const { organisationId, email } = await addOwner(world);
  await addRun(world, { organisationId, at: YESTERDAY, createdAt: YESTERDAY - 2 * DAY_MS });
  expect((await tick(world, email))[0]!.text).toContain("github backups: 1 succeeded");
});

test("an item that was partly backed up several times is listed once, with its newest result", async () => {
  const world = reportWorld(NINE);
  const { organisationId, email } = await addOwner(world);
  for (const [name, first, then] of [
    ["rising", 0, HOUR_MS],
    ["falling", HOUR_MS, 0],
  ] as const) {
    const left = (ms: number) => ({ at: YESTERDAY + ms, skippedCount: ms === HOUR_MS ? 3 : 7 });
    const { itemId } = await addRun(world, { organisationId, name, ...left(first) });
    await addRun(world, { organisationId, itemId, ...left(then) });
  }
  const [{ text } = { text: "" }] = await tick(world, email);
  for (const name of ["rising", "falling"]) expect(text).toMatch(new RegExp(`- ${name} .*\\n  3 parts`));
  expect(text).not.toContain("7 parts");
});

test("thousands of results are counted, and a long list is cut with its total", async () => {
  const world = reportWorld(NINE);
  const { organisationId, email } = await addOwner(world);
  const { itemId } = await addRun(world, { organisationId, at: YESTERDAY });
  const rows = Array.from({ length: 2300 }, (_, n) => [
    `run_${organisationId}_${n}`,
    n < 25 ? "failed" : "succeeded",
    n,
  ]);
  await env.LEDGER_US.prepare(
    `INSERT INTO run (id, organisation_id, connection_id, item_id, platform, kind, trigger, status, created_at, finished_at)
     SELECT value->>0, ?2, 'c', CASE WHEN value->>1 = 'failed' THEN value->>0 ELSE ?3 END, 'github', 'backup', 'schedule',
       value->>1, ?4 + (value->>2) / 700, ?4 FROM json_each(?1)`,
  )
    .bind(JSON.stringify(rows), organisationId, itemId, YESTERDAY)
    .run();
  const [mail] = await tick(world, email);
  expect(mail!.subject).toBe("Daily backup report: 2276 succeeded, 25 failed");
  expect(mail!.text).toContain("5 more are listed in the history.");
});

test("[A-220] the switch and the preferences share one flag; saving one keeps the other", async () => {
  const world = reportWorld(NINE);
  const person = await addOwner(world, { timeZone: "Asia/Tokyo" });
  expect(await getPreferences(world, person)).toEqual(defaultPreference("Asia/Tokyo"));
  await setSubscription(world, person, { isSubscribed: false });
  expect(await getPreferences(world, person)).toEqual({
    ...defaultPreference("Asia/Tokyo"),
    isActive: false,
  });
  await savePreferences(world, person, {
    isActive: true,
    frequency: "weekly",
    reportType: "failed",
    reportDay: "sunday",
    timeZone: "Europe/Berlin",
  });
  await setSubscription(world, person, { isSubscribed: false });
  expect(await getPreferences(world, person)).toEqual({
    isActive: false,
    frequency: "weekly",
    reportType: "failed",
    reportDay: "sunday",
    timeZone: "Europe/Berlin",
  });
  const daily = { isActive: true, frequency: "daily", reportType: "all" } as const;
  await savePreferences(world, person, daily);
  expect(await getPreferences(world, person)).toEqual({ ...defaultPreference("Europe/Berlin") });
});

test("a report's unsubscribe link works repeatedly, for a year, only for its person", async () => {
  const world = reportWorld(NINE);
  const person = await addOwner(world);
  const other = await addOwner(world);
  const link = await sealSubscription(world, { userId: person.userId, isSubscribed: false });
  expect(await followSubscriptionLink(world, link)).toEqual({ isSubscribed: false, wasAlready: false });
  expect(await followSubscriptionLink(world, link)).toEqual({ isSubscribed: false, wasAlready: true });
  expect((await getPreferences(world, person)).isActive).toBe(false);
  expect((await getPreferences(world, other)).isActive).toBe(true);
  const back = await sealSubscription(world, { userId: person.userId, isSubscribed: true });
  const refused = { code: "err.link.purpose" };
  await expect(followSubscriptionLink(world, back, { only: "unsubscribe" })).rejects.toMatchObject(refused);
  expect(await followSubscriptionLink(world, back)).toEqual({ isSubscribed: true, wasAlready: false });
  expect(await followSubscriptionLink(world, link)).toEqual({ isSubscribed: false, wasAlready: false });
  const nobody = await sealSubscription(world, { userId: "usr_nobody", isSubscribed: false });
  await expect(followSubscriptionLink(world, nobody)).rejects.toMatchObject(refused);
  world.clock.at += 365 * DAY_MS;
  await expect(followSubscriptionLink(world, link)).rejects.toMatchObject(refused);
});

/** A random step: time passes, the cron ticks, and messages are lost, doubled or delayed. */
const step = fc.record({
  minutes: fc.integer({ min: 5, max: 9 * 60 }),
  ticks: fc.integer({ min: 0, max: 2 }),
  fates: fc.array(fc.constantFrom("once", "twice", "lost", "later"), { minLength: 4, maxLength: 4 }),
});
const wish = fc.record({
  frequency: fc.constantFrom("daily" as const, "weekly" as const),
  reportDay: fc.constantFrom("monday" as const, "thursday" as const, "saturday" as const),
  timeZone: fc.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Pacific/Kiritimati", "Africa/Cairo"),
});

test("[A-187] for any sequence of ticks and lost messages each period is reported at most once, and exactly once when due", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), wish, async (steps, chosen) => {
      // Clocks change in Europe on the 25th of October and in America a week later.
      const start = Date.parse("2026-10-22T00:00:00Z");
      const world = reportWorld(start);
      const { userId, email, organisationId } = await addOwner(world);
      const preference: Preference = { isActive: true, reportType: "all", ...chosen };
      await prefer(world, userId, preference);
      for (let day = -9; day < 12; day++) await addRun(world, { organisationId, at: start + day * DAY_MS });
      const expected = new Set<string>();
      let later: JobMessage[] = [];
      for (const { minutes, ticks, fates } of steps) {
        world.clock.at += minutes * MINUTE_MS;
        const delayed = later;
        later = [];
        for (let i = 0; i < ticks; i++) await sendReports(world);
        const arrived = world.jobs
          .splice(0)
          .filter((job) => !("userId" in job.payload) || job.payload.userId === userId);
        for (const [n, job] of [...delayed, ...arrived].entries()) {
          const fate =
            job.job === "send-mail" ? "twice" : delayed.includes(job) ? "once" : fates[n % fates.length];
          if (fate === "later") later.push(job);
          if (fate === "once" || fate === "twice") {
            if (job.job === "build-report") expected.add(periodNameOn(preference, job.payload.date));
            await world.work(job);
            if (fate === "twice") await world.work(job);
          }
        }
        if (ticks > 0) {
          const due = dayToReport(preference, world.clock.at);
          if (due !== null && !fates.includes("lost") && !fates.includes("later")) {
            expect([...expected]).toContain(periodNameOn(preference, due));
          }
        }
        await world.drain();
      }
      const { results } = await env.DB.prepare(
        "SELECT occasion FROM mail_outbox WHERE recipient = ? ORDER BY 1",
      )
        .bind(email)
        .all<{ occasion: string }>();
      expect(results.map(({ occasion }) => occasion)).toEqual(
        [...expected].map((name) => `report:${userId}:${name}`).sort(),
      );
      expect(world.sent.filter(({ to }) => to === email)).toHaveLength(expected.size);
    }),
    { numRuns: 15 },
  );
});
