import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { Member } from "#core/organisations/index.ts";
import { sealSubscription } from "#core/reports/index.ts";
import { heldLimits } from "#tests/harness/held-limits.ts";
import { addOwner, reportWorld } from "#tests/harness/report-world.ts";
import { readMailData } from "#tests/harness/verification-link.ts";
import { buildServices } from "#workers/services.ts";
import { answerError } from "../middleware/errors.ts";
import { createRouter } from "../mount-route.ts";
import { mountMail } from "./mail.ts";

const ORIGIN = "https://app.example.test";

/** The e-mail calls, with this member signed in, or nobody. */
function door(member: Member | null) {
  const api = createRouter();
  const services = buildServices(env);
  const noQueue = { ...services, queue: { send: async () => undefined } };
  api.use("*", async (c, next) => {
    c.set("services", noQueue);
    c.set("member", member);
    await next();
  });
  api.onError((error, c) => answerError(error, c));
  mountMail(api);
  return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const init: RequestInit = {
      method,
      redirect: "manual",
      headers: { Authorization: "Bearer x", ...headers },
    };
    if (body !== undefined) {
      init.body = JSON.stringify(body);
      init.headers = { "Content-Type": "application/json", ...init.headers };
    }
    const response = await heldLimits.invocation(async () =>
      api.fetch(new Request(`${ORIGIN}${path}`, init), env),
    );
    const text = await response.text();
    const isJson = response.headers.get("Content-Type")?.includes("json");
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson ? JSON.parse(text) : null,
    };
  };
}

const world = reportWorld(Date.now());

async function person(timeZone = "Europe/Berlin") {
  const { userId, organisationId, email } = await addOwner(world, { timeZone });
  const member: Member = {
    userId,
    organisationId,
    email,
    name: "Ann Example",
    role: "owner",
    platformRoles: {},
    timeZone,
  };
  return { ask: door(member), userId, email };
}

test("[A-220] [A-387] [A-388] [A-395] [A-396] [A-397] preferences are read as saved; daily has no day", async () => {
  const { ask } = await person();
  expect((await ask("GET", "/api/user/email-preferences")).json.result).toEqual({
    is_active: true,
    frequency: "daily",
    report_type: "all",
    report_day: null,
    time_zone: "Europe/Berlin",
  });
  const weekly = { is_active: true, frequency: "weekly", report_type: "failed", report_day: "sunday" };
  const saved = await ask("PUT", "/api/user/email-preferences", {
    email_preferences: { ...weekly, time_zone: "America/New_York" },
  });
  expect(saved.status).toBe(200);
  expect((await ask("GET", "/api/user/email-preferences")).json.result).toEqual({
    ...weekly,
    time_zone: "America/New_York",
  });
  const daily = { is_active: true, frequency: "daily", report_type: "succeeded" };
  expect((await ask("PUT", "/api/user/email-preferences", { email_preferences: daily })).status).toBe(200);
  expect((await ask("GET", "/api/user/email-preferences")).json.result).toEqual({
    ...daily,
    report_day: null,
    time_zone: "America/New_York",
  });
  const off = await ask("PUT", "/api/user/subscribe-mail-sending", { isSubscribedToMail: false });
  expect(off.json).toMatchObject({
    message: "Email reports are off.",
    result: { isSubscribedToMail: false },
  });
  expect((await ask("GET", "/api/user/email-preferences")).json.result.is_active).toBe(false);
  const on = await ask("PUT", "/api/user/subscribe-mail-sending", { isSubscribedToMail: true });
  expect(on.json.message).toMatch(/\S/);
  expect((await ask("GET", "/api/user/email-preferences")).json.result.is_active).toBe(true);
  for (const isSubscribedToMail of ["yes", 1, null]) {
    expect((await ask("PUT", "/api/user/subscribe-mail-sending", { isSubscribedToMail })).status).toBe(400);
  }
  expect((await ask("GET", "/api/user/email-preferences")).json.result.is_active).toBe(true);
});

test("a change of reports is audited, also by a report's link, and only if it changes something", async () => {
  const { ask, userId } = await person();
  const weekly = { is_active: true, frequency: "weekly", report_type: "failed", report_day: "sunday" };
  for (let i = 0; i < 2; i++) await ask("PUT", "/api/user/email-preferences", { email_preferences: weekly });
  await ask("PUT", "/api/user/subscribe-mail-sending", { isSubscribedToMail: true });
  const stop = await sealSubscription(buildServices(env), { userId, isSubscribed: false });
  for (let i = 0; i < 2; i++) await door(null)("PUT", "/api/subscribe-mail-sending", stop);
  await ask("PUT", "/api/user/subscribe-mail-sending", { isSubscribedToMail: true });
  const { results } = await env.DB.prepare(
    "SELECT subject FROM audit_entry WHERE user_id = ? AND action = 'change-email-preferences' ORDER BY created_at, id",
  )
    .bind(userId)
    .all();
  expect(results.map(({ subject }) => subject)).toEqual([
    "weekly on Sunday, failed only",
    "off",
    "weekly on Sunday, failed only",
  ]);
});

test("[A-221] [A-222] [A-223] other frequencies, kinds, days and members are refused by name", async () => {
  const { ask } = await person();
  const good = { is_active: true, frequency: "daily", report_type: "all" };
  for (const [change, field] of [
    [{ frequency: "hourly" }, "frequency"],
    [{ report_type: "none" }, "report_type"],
    [{ report_day: "monday" }, "report_day"],
    [{ frequency: "weekly" }, "report_day"],
    [{ frequency: "weekly", report_day: "MO" }, "report_day"],
    [{ time_zone: "Mars/Olympus" }, "time_zone"],
    [{ is_active: "yes" }, "is_active"],
  ] as const) {
    const answer = await ask("PUT", "/api/user/email-preferences", {
      email_preferences: { ...good, ...change },
    });
    expect([answer.status, answer.json.result.field]).toEqual([400, `email_preferences.${field}`]);
  }
  const foreign = { email_preferences: { ...good, userId: "usr_2" } };
  expect((await ask("PUT", "/api/user/email-preferences", foreign)).status).toBe(400);
  expect((await ask("PUT", "/api/user/subscribe-mail-sending", { isSubscribedToMail: "false" })).status).toBe(
    400,
  );
  expect((await door(null)("GET", "/api/user/email-preferences")).status).toBe(423);
});

test("[A-386] the unsubscribe call needs no session, and the second time says so", async () => {
  const { userId, ask } = await person();
  const link = await sealSubscription(
    { ...world, settings: buildServices(env).settings },
    { userId, isSubscribed: false },
  );
  const visitor = door(null);
  const first = await visitor("PUT", "/api/subscribe-mail-sending", link);
  expect(first.json).toMatchObject({
    message: "You have been unsubscribed from email reports.",
    result: { isSubscribedToMail: false, wasAlready: false },
  });
  const second = await visitor("PUT", "/api/subscribe-mail-sending", link);
  expect(second.json.message).toBe("You were already unsubscribed from email reports.");
  expect((await ask("GET", "/api/user/email-preferences")).json.result.is_active).toBe(false);
  for (const forged of [
    { ...link, iv: link.iv.replace(/^./, (c) => (c === "A" ? "B" : "A")) },
    { ...link, content: "1.AAAA" },
  ]) {
    expect((await visitor("PUT", "/api/subscribe-mail-sending", forged)).json.code).toBe("err.link.purpose");
  }
  expect((await visitor("PUT", "/api/subscribe-mail-sending", { ...link, more: 1 })).status).toBe(400);
});

test("a mail program unsubscribes with one form post; opening the URL shows the page and changes nothing", async () => {
  const { userId, ask } = await person();
  const deps = { ...world, settings: buildServices(env).settings };
  const link = await sealSubscription(deps, { userId, isSubscribed: false });
  const path = `/api/mail/unsubscribe?${new URLSearchParams(link)}`;
  const visitor = door(null);
  const opened = await visitor("GET", path);
  expect(opened.status).toBe(302);
  const to = new URL(opened.headers.get("Location")!, ORIGIN);
  expect(to.origin + to.pathname).toBe(`${ORIGIN}/subscribeToMail`);
  expect(Object.fromEntries(to.searchParams)).toEqual(link);
  const isActive = async () => (await ask("GET", "/api/user/email-preferences")).json.result.is_active;
  expect(await isActive()).toBe(true);
  const posted = await visitor("POST", path, undefined, { Origin: "https://mail.example" });
  expect([posted.status, posted.text]).toEqual([200, "You have been unsubscribed from email reports."]);
  expect(await isActive()).toBe(false);
  const back = await sealSubscription(deps, { userId, isSubscribed: true });
  const refused = await visitor("POST", `/api/mail/unsubscribe?${new URLSearchParams(back)}`);
  expect(refused.status).toBe(400);
  expect(await isActive()).toBe(false);
});

let questions = 0;
const question = () => ({
  first_name: "Bo",
  last_name: "Example",
  company: "Example Ltd",
  email: `bo${++questions}-${crypto.randomUUID().slice(0, 8)}@example.com`,
  question: "Can I back up\n2000 repositories?",
});

test("[B-259] a question is sent to support with the person as reply address, signed in or not", async () => {
  const { ask, userId } = await person();
  for (const [send, signedIn] of [
    [door(null), null],
    [ask, userId],
  ] as const) {
    const body = question();
    const answer = await send("POST", "/api/contactus", body);
    expect([answer.status, answer.json.message]).toEqual([200, "Your request was successfully sent!"]);
    const data = await readMailData(buildServices(env).settings.CONTACT_EMAIL, "contact-request");
    expect(data).toMatchObject({
      ...{ firstName: "Bo", lastName: "Example", company: "Example Ltd" },
      ...{ email: body.email, question: body.question },
    });
    expect((data.signedInAs as { userId: string } | null)?.userId ?? null).toBe(signedIn);
  }
});

test("the API refuses what the form refuses: missing, too short and too long texts, invalid addresses", async () => {
  const ask = door(null);
  const long = (length: number) => "x".repeat(length);
  const refused = async (change: Record<string, unknown>) => {
    const answer = await ask("POST", "/api/contactus", { ...question(), ...change });
    return answer.status === 400 ? answer.json.message : answer.status;
  };
  for (const field of ["first_name", "last_name", "company"]) {
    expect(await refused({ [field]: undefined })).toBe(`${field}: required`);
    expect(await refused({ [field]: "" })).toBe(`${field}: required`);
    expect(await refused({ [field]: "x" })).toBe(`${field}: Min length is 2`);
    expect(await refused({ [field]: long(51) })).toBe(`${field}: max_length50`);
    expect(await refused({ [field]: long(50) })).toBe(200);
    expect(await refused({ [field]: "Bo\r\nBcc: x@example.com" })).toContain("not allowed");
  }
  expect(await refused({ email: "" })).toBe("email: required");
  expect(await refused({ email: "abc@" })).toBe("email: Invalid email");
  expect(await refused({ email: `${long(45)}@e.com` })).toBe("email: max_length50");
  expect(await refused({ question: "" })).toBe("question: required");
  expect(await refused({ question: "x" })).toBe("question: Min length is 2");
  expect(await refused({ question: long(1001) })).toBe("question: max_length1000");
  expect(await refused({ question: long(1000) })).toBe(200);
  expect(await refused({ to: "x@example.com" })).toContain("to");
});

test("questions are limited per network and per given address", async () => {
  const ask = door(null);
  const from = { "CF-Connecting-IP": "203.0.113.7" };
  for (let i = 0; i < 5; i++)
    expect((await ask("POST", "/api/contactus", question(), from)).status).toBe(200);
  const sixth = await ask("POST", "/api/contactus", question(), from);
  expect([sixth.status, sixth.json.code]).toEqual([429, "err.attempts.limit"]);
  expect(sixth.json.result.opensAt).toBeGreaterThan(0);
  const same = question();
  for (let i = 0; i < 10; i++) {
    const headers = { "CF-Connecting-IP": `198.51.100.${i}` };
    expect((await ask("POST", "/api/contactus", same, headers)).status).toBe(200);
  }
  const eleventh = await ask("POST", "/api/contactus", same, { "CF-Connecting-IP": "198.51.100.99" });
  expect(eleventh.status).toBe(429);
});
