import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { codeOfStep, stepAt } from "#core/accounts/totp.ts";
import { fromBase32 } from "#tests/harness/accounts.ts";
import { heldLimits } from "#tests/harness/held-limits.ts";
import { answerHolder } from "#tests/harness/hold-answers.ts";
import { readVerificationLink } from "#tests/harness/verification-link.ts";
import { createApi } from "../create-api.ts";
import { operations } from "../operations.ts";

const PASSWORD = "Vq7$mRkT2zLw";
const OTHER = "xB9!kTq4^wZn";

const api = createApi({ core: operations, platforms: [] });
const hold = answerHolder(async () =>
  (await api.fetch(new Request("https://app.example.test/api/openapi.json"), env)).json(),
);

/** A client of the API that keeps cookies, like a browser. */
function openBrowser() {
  const cookies = new Map<string, string>();
  const ask = async (method: string, path: string, body?: unknown) => {
    const headers = new Headers({ Origin: "https://app.example.test" });
    if (cookies.size > 0) headers.set("Cookie", [...cookies].map((pair) => pair.join("=")).join("; "));
    if (body !== undefined) headers.set("Content-Type", "application/json");
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await heldLimits.invocation(async () =>
      api.fetch(new Request(`https://app.example.test${path}`, init), env),
    );
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split(/=(.*)/s);
      if (line.includes("Max-Age=0")) cookies.delete(name);
      else cookies.set(name, value);
    }
    const json = (await response.json()) as {
      status: string;
      message: string | null;
      code: string | null;
      result: Record<string, unknown>;
    };
    await hold({ method, path, status: response.status, body: json });
    return { ...json, word: json.status, status: response.status, headers: response.headers };
  };
  return { ask, cookies };
}

const freshEmail = () => `wire-${crypto.randomUUID().slice(0, 12)}@example.com`;

async function signedIn() {
  const browser = openBrowser();
  const email = freshEmail();
  const account = { email, password: PASSWORD, name: "Ann", family_name: "Example" };
  await browser.ask("POST", "/identity/sign-up", account);
  await browser.ask("POST", "/api/email-verification", await readVerificationLink(email));
  await browser.ask("POST", "/identity/sign-in", { email, password: PASSWORD });
  return { ...browser, email };
}

const check = (browser: ReturnType<typeof openBrowser>) => browser.ask("GET", "/identity/two-factor/check");

test("[A-200] [A-365] [A-370] [A-371] [A-374] [A-384] an account is created, confirmed, opened and left by the documented paths", async () => {
  const { ask, cookies } = openBrowser();
  const email = freshEmail();
  const created_at = "2026-11-21T08:00:00.000Z";
  const account = {
    email,
    password: PASSWORD,
    name: "Ann",
    family_name: "Example",
    created_at,
    auto_confirm: true,
  };
  const made = await ask("POST", "/identity/sign-up", account);
  expect([made.word, made.result]).toEqual(["success", { is_confirmed: false }]);
  expect([...cookies.keys()]).toEqual(["__Host-holdfast.sign_up"]);

  const credentials = { email, password: PASSWORD, remember_me: true };
  const early = await ask("POST", "/identity/sign-in", credentials);
  expect([early.status, early.code, early.message]).toEqual([
    403,
    "err.credentials.unconfirmed",
    "User is not confirmed",
  ]);
  const link = await readVerificationLink(email);
  const forged = { ...link, content: link.content.replace(/^./, (first) => (first === "A" ? "B" : "A")) };
  const tampered = await ask("POST", "/api/email-verification", forged);
  expect([tampered.word, tampered.code]).toEqual(["failure", "err.link.purpose"]);
  expect((await ask("POST", "/identity/sign-in", credentials)).code).toBe("err.credentials.unconfirmed");
  const confirmed = await ask("POST", "/api/email-verification", link);
  expect([confirmed.word, confirmed.result]).toEqual(["success", { kind: "confirmed" }]);
  const row = env.DB.prepare("select stated_created_at from user where email = ?").bind(email);
  expect(await row.first("stated_created_at")).toBe(created_at);
  const used = await ask("POST", "/api/email-verification", link);
  expect([used.status, used.code, used.message]).toEqual([
    409,
    "err.link.used",
    "This verification link has already been used",
  ]);

  const opened = await ask("POST", "/identity/sign-in", credentials);
  expect(opened.result).toMatchObject({
    kind: "session",
    user: { email, name: "Ann", family_name: "Example", roles: [] },
  });
  expect(Object.keys(opened.result).sort()).toEqual(["expires_at", "kind", "user"]);
  expect((await ask("GET", "/identity/two-factor/check")).result).toEqual({
    enabled: false,
    recovery_codes_left: 0,
  });
  await ask("POST", "/identity/sign-out", {});
  const left = await ask("GET", "/identity/two-factor/check");
  expect([left.status, left.code]).toEqual([423, "err.session.missing"]);

  // A second sign-up gets the same answer but creates no second account. Only the owner's e-mail mentions it.
  const again = await ask("POST", "/identity/sign-up", { ...account, password: OTHER });
  expect([again.status, again.result]).toEqual([200, { is_confirmed: false }]);
  expect((await ask("POST", "/identity/sign-in", credentials)).word).toBe("success");
  const people = env.DB.prepare("select count(*) as n from user where email = ?").bind(email);
  expect(await people.first("n")).toBe(1);
});

test("a link opened in another browser requests a password, and the account gets that one", async () => {
  const email = freshEmail();
  const account = { email, password: PASSWORD, name: "Ann", family_name: "Example" };
  await openBrowser().ask("POST", "/identity/sign-up", account);
  const { ask } = openBrowser();
  const link = await readVerificationLink(email);
  const opened = await ask("POST", "/api/email-verification", link);
  expect([opened.word, opened.message, opened.result]).toEqual([
    "success",
    null,
    { kind: "password_needed", email, name: "Ann", family_name: "Example" },
  ]);
  const setUp = { ...link, new_password: OTHER, firstName: "Anna", lastName: "Sample" };
  const weak = await ask("POST", "/identity/complete-sign-up", { ...setUp, new_password: "Sunshine1!A" });
  expect([weak.status, weak.code]).toEqual([400, "err.request.invalid"]);
  expect((await ask("POST", "/identity/complete-sign-up", setUp)).word).toBe("success");
  expect((await ask("POST", "/identity/complete-sign-up", setUp)).code).toBe("err.link.used");
  expect((await ask("POST", "/identity/sign-in", { email, password: PASSWORD })).code).toBe(
    "err.credentials.wrong",
  );
  const { result } = await ask("POST", "/identity/sign-in", { email, password: OTHER });
  expect(result.user).toMatchObject({ email, name: "Anna", family_name: "Sample" });
});

test("[A-383] login, social login, logout, sign-up, recovery and confirmation have their documented paths", async () => {
  const { ask } = openBrowser();
  const { paths } = (await (
    await api.fetch(new Request("https://app.example.test/api/openapi.json"), env)
  ).json()) as { paths: Record<string, object> };
  for (const [method, path] of [
    ["post", "/identity/sign-in"],
    ["get", "/identity/federation/start"],
    ["post", "/identity/sign-out"],
    ["post", "/identity/sign-up"],
    ["post", "/identity/forgot-password"],
    ["post", "/identity/confirm-password"],
  ] as const) {
    expect([path, Object.keys(paths[path] ?? {})]).toEqual([path, [method]]);
    if (method === "post") expect((await ask("POST", path, { other: 1 })).code).toBe("err.request.invalid");
  }
});

test("[A-375] names can be changed", async () => {
  const { ask, email } = await signedIn();
  const changed = await ask("POST", "/identity/update-profile", { name: "Anna", family_name: "Sample" });
  expect(changed.result).toEqual({ name: "Anna", family_name: "Sample" });
  const again = await ask("POST", "/identity/sign-in", { email, password: PASSWORD });
  expect(again.result.user).toMatchObject({ name: "Anna", family_name: "Sample" });
  const linked = await ask("POST", "/identity/update-profile", {
    name: "www.evil.example",
    family_name: "X",
  });
  expect(linked.status).toBe(400);
});

test("[A-376] [A-377] [A-378] [A-379] [A-380] a second factor is set up, requested by cookie, and turned off", async () => {
  const browser = await signedIn();
  const { ask, cookies, email } = browser;
  const { secret } = (await ask("POST", "/identity/two-factor/secret", {})).result;
  const key = fromBase32(String(secret));
  const codeNow = (steps: number) => codeOfStep(key, stepAt(Date.now()) + steps);
  expect((await ask("POST", "/identity/two-factor/verify", { code: codeNow(0) })).result).toEqual({
    verified: true,
  });
  const before = new Map(cookies);
  const enabled = await ask("POST", "/identity/two-factor/enable", {});
  expect(enabled.result).toMatchObject({ enabled: true });
  expect(enabled.result.recovery_codes).toHaveLength(10);
  expect(cookies.get("__Host-holdfast.session_token")).not.toBe(before.get("__Host-holdfast.session_token"));
  expect((await check(browser)).result).toEqual({ enabled: true, recovery_codes_left: 10 });

  await ask("POST", "/identity/sign-out", {});
  const none = await ask("GET", "/identity/two-factor/challenge");
  expect([none.status, none.code]).toEqual([401, "err.challenge.expired"]);
  const asked = await ask("POST", "/identity/sign-in", { email, password: PASSWORD });
  expect(Object.keys(asked.result).sort()).toEqual(["expires_at", "kind"]);
  expect(asked.result.kind).toBe("two_factor");
  expect((await check(browser)).status).toBe(423);
  const { expires_at } = (await ask("GET", "/identity/two-factor/challenge")).result;
  expect(expires_at).toBe(asked.result.expires_at);
  const [recovery] = enabled.result.recovery_codes as string[];
  const answered = await ask("POST", "/identity/two-factor/answer", { code: recovery });
  expect(answered.result).toMatchObject({ kind: "session", user: { email } });
  expect((await check(browser)).result).toEqual({ enabled: true, recovery_codes_left: 9 });

  await ask("POST", "/identity/two-factor/verify", { code: codeNow(1) });
  expect((await ask("POST", "/identity/two-factor/disable", {})).result).toMatchObject({ enabled: false });
  expect((await check(browser)).result).toEqual({ enabled: false, recovery_codes_left: 0 });
});

test("[A-325] changing the password issues a new cookie and ends other browsers' sessions", async () => {
  const browser = await signedIn();
  const { ask, cookies, email } = browser;
  const other = openBrowser();
  await other.ask("POST", "/identity/sign-in", { email, password: PASSWORD });
  const before = cookies.get("__Host-holdfast.session_token");
  const weak = { newPassword: "Sunshine1!A", oldPassword: PASSWORD };
  expect((await ask("POST", "/api/user/change-user-password", weak)).status).toBe(400);
  const spaced = await ask("POST", "/api/user/change-user-password", {
    newPassword: "xB9!kTq4 ^wZn",
    oldPassword: PASSWORD,
  });
  expect([spaced.status, spaced.message]).toEqual([400, expect.stringContaining("No spaces")]);
  const wrong = { newPassword: OTHER, oldPassword: "Wrong" };
  expect((await ask("POST", "/api/user/change-user-password", wrong)).code).toBe("err.password.wrong");
  const right = { newPassword: OTHER, oldPassword: PASSWORD };
  expect((await ask("POST", "/api/user/change-user-password", right)).word).toBe("success");
  expect(cookies.get("__Host-holdfast.session_token")).not.toBe(before);
  expect((await check(browser)).status).toBe(200);
  expect((await check(other)).status).toBe(423);
});

test("[A-315] [A-316] [A-317] [A-324] the server rejects passwords with words, repeats or spaces, and common ones", async () => {
  const { ask } = openBrowser();
  const account = { email: freshEmail(), name: "Ann", family_name: "Example" };
  const weak = "No dictionary words, repeats or common passwords";
  for (const [password, why] of [
    ["Sunshine1!A", weak],
    ["aaaaAAAA11!!", weak],
    ["Password123!", weak],
    ["Vq7$mRk T2zLw", "No spaces"],
    ["Vq7$mRkT2", "At least 10 characters, at most 50"],
  ] as const) {
    const refused = await ask("POST", "/identity/sign-up", { ...account, password });
    expect([password, refused.status, refused.code]).toEqual([password, 400, "err.request.invalid"]);
    expect([password, refused.message]).toEqual([password, expect.stringContaining(why)]);
  }
});

test("requesting a code or a link reveals nothing about the address", async () => {
  const { email } = await signedIn();
  const { ask } = openBrowser();
  const essence = async (path: string, body: unknown) => {
    const { status, word, message, code, result, headers } = await ask("POST", path, body);
    const names = [...headers.keys()].sort();
    return { status, word, message, code, result, names };
  };
  for (const path of ["/identity/forgot-password", "/api/resend-email-verification"]) {
    expect(await essence(path, { email })).toEqual(await essence(path, { email: freshEmail() }));
  }
  const sent = await essence("/identity/forgot-password", { email });
  expect(sent.message).toBe("A verification code has been sent to your email.");
  const attempt = { code: "12345678", new_password: OTHER };
  const known = await essence("/identity/confirm-password", { email, ...attempt });
  expect(known).toEqual(await essence("/identity/confirm-password", { email: freshEmail(), ...attempt }));
  expect(known.code).toBe("err.recovery.code");
});

test("[A-404] the selected apps are stored only while the address is unconfirmed", async () => {
  const { ask } = openBrowser();
  const email = freshEmail();
  await ask("POST", "/identity/sign-up", { email, password: PASSWORD, name: "Ann", family_name: "Example" });
  const tick = (appsToProtect: string[], to = email) =>
    ask("POST", "/api/send-active-campaign-tags", { email: to, appsToProtect });
  expect((await tick(["github", "notion"])).word).toBe("success");
  expect((await tick(["jira"])).word).toBe("success");
  expect((await tick(["jira"], freshEmail())).word).toBe("success");
  const kept = env.DB.prepare("select apps_to_protect from sign_up where email = ?").bind(email);
  expect(JSON.parse(String(await kept.first("apps_to_protect")))).toEqual(["github", "notion"]);
  const { email: confirmed } = await signedIn();
  await tick(["jira"], confirmed);
  const untouched = env.DB.prepare("select apps_to_protect from user where email = ?").bind(confirmed);
  expect(await untouched.first("apps_to_protect")).toBeNull();
});
