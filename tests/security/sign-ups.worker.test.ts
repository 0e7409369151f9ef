import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshEmail, freshPassword, linkIn, readMail, succeed } from "./real-person.ts";
import { type Answer, ORIGIN, openSecurityWorld, type SecurityWorld } from "./security-world.ts";

let world: SecurityWorld;
beforeAll(async () => {
  world = await openSecurityWorld();
});
afterAll(() => world.close());

type Browser = { post: (path: string, body: unknown) => Promise<Answer>; cookies: Map<string, string> };

/** A browser without cookies. It keeps those it receives. */
function openBrowser(): Browser {
  const cookies = new Map<string, string>();
  return {
    cookies,
    post: async (path, body) => {
      const Cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
      const headers = { Origin: ORIGIN, ...(Cookie === "" ? {} : { Cookie }) };
      const answer = await world.send({ method: "POST", path, body, headers });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === "") cookies.delete(name);
        else cookies.set(name, value);
      }
      return answer;
    },
  };
}

const signUp = (browser: Browser, email: string, password: string, name = "Real") =>
  browser.post("/identity/sign-up", { email, password, name, family_name: "Person" });

/** The link in the newest e-mail to the address. */
async function linkTo(email: string): Promise<{ iv: string; content: string }> {
  const query = linkIn(await readMail(world, email), "/verify-email");
  return { iv: query.get("iv")!, content: query.get("content")! };
}

/** The content of a response, without what differs between requests. */
const essence = ({ status, json, headers }: Answer) => ({
  status,
  json,
  headers: [...headers.keys()].filter((name) => name !== "set-cookie").sort(),
  cookies: headers.getSetCookie().map((line) => line.replace(/=[^;]*/, "")),
});

/** The result of signing in with a password: "session" or the error code. */
async function enter(email: string, password: string, browser = openBrowser()): Promise<string | null> {
  const { json } = await browser.post("/identity/sign-in", { email, password });
  return json!.status === "success" ? "session" : json!.code;
}

test("signing up with another person's address gives no access to the account that its owner confirms", async () => {
  const [strangers, owners] = [await freshPassword(), await freshPassword()];
  const email = freshEmail();
  const stranger = openBrowser();
  await succeed(signUp(stranger, email, strangers));
  const link = await linkTo(email);
  const owner = openBrowser();
  const opened = await succeed(owner.post("/api/email-verification", link));
  expect(await enter(email, strangers, stranger)).not.toBe("session");
  // The link alone has no effect yet: a mail scanner that runs scripts does not use it up.
  expect(opened.json!.result).toEqual({
    kind: "password_needed",
    email,
    name: "Real",
    family_name: "Person",
  });
  expect(await env.DB.prepare("select id from user where email = ?").bind(email).first()).toBeNull();
  const setUp = { ...link, new_password: owners, firstName: "Ann", lastName: "Lee" };
  await succeed(owner.post("/identity/complete-sign-up", setUp));
  expect(await enter(email, strangers, stranger)).toBe("err.credentials.wrong");
  expect(await enter(email, owners)).toBe("session");
  const again = await stranger.post("/identity/complete-sign-up", { ...setUp, new_password: strangers });
  expect(again.json!.code).toBe("err.link.used");
  const person = env.DB.prepare("select name, family_name, email_verified from user where email = ?");
  expect(await person.bind(email).first()).toEqual({ name: "Ann", family_name: "Lee", email_verified: 1 });
});

test("a later sign-up replaces an unconfirmed one and invalidates its links", async () => {
  const [strangers, owners] = [await freshPassword(), await freshPassword()];
  const email = freshEmail();
  const [stranger, owner] = [openBrowser(), openBrowser()];
  await succeed(signUp(stranger, email, strangers));
  const first = await linkTo(email);
  await succeed(signUp(owner, email, owners, "Ann"));
  const second = await linkTo(email);
  for (const browser of [stranger, owner]) {
    const answer = await browser.post("/api/email-verification", first);
    expect([answer.status, answer.json!.code]).toEqual([400, "err.link.purpose"]);
  }
  expect(await enter(email, strangers)).toBe("err.credentials.wrong");
  const opened = await succeed(owner.post("/api/email-verification", second));
  expect(opened.json!.result).toEqual({ kind: "confirmed" });
  expect([await enter(email, strangers), await enter(email, owners)]).toEqual([
    "err.credentials.wrong",
    "session",
  ]);
});

test("a sign-up for the address of an existing account gets the usual response, and its owner is notified", async () => {
  const password = await freshPassword();
  const email = freshEmail();
  const owner = openBrowser();
  await succeed(signUp(owner, email, password));
  await succeed(owner.post("/api/email-verification", await linkTo(email)));
  const strangers = await freshPassword();
  const asks = async (address: string) => {
    const browser = openBrowser();
    const answers = [
      await signUp(browser, address, strangers),
      // Requests after the sign-up must reveal nothing either.
      await browser.post("/identity/sign-in", { email: address, password: strangers }),
      await browser.post("/api/resend-email-verification", { email: address }),
      await browser.post("/api/send-active-campaign-tags", { email: address, appsToProtect: ["github"] }),
      await signUp(browser, address, strangers),
    ];
    return answers.map(essence);
  };
  const other = freshEmail();
  expect(await asks(email)).toEqual(await asks(other));
  const told = await readMail(world, email);
  expect(told).toContain("An account with this email already exists");
  for (const path of ["/auth/login", "/auth/password-recovery"]) expect(told).toContain(`${ORIGIN}${path}`);
  expect(told).not.toContain("/verify-email");
  expect(linkIn(await readMail(world, other), "/verify-email").get("content")).not.toBeNull();
  expect([await enter(email, strangers), await enter(email, password)]).toEqual([
    "err.credentials.unconfirmed",
    "session",
  ]);
});

test("an unconfirmed sign-up does not prevent an invitation", async () => {
  const email = freshEmail();
  await succeed(signUp(openBrowser(), email, await freshPassword()));
  const order = { email, roles: ["organization_github_user"] };
  await succeed(world.ask("owner", { method: "POST", path: "/api/user/organization-user", body: order }));
  const code = linkIn(await readMail(world, email), "/invite").get("code");
  const new_password = await freshPassword();
  const setUp = { email, confirmation_code: code, new_password, firstName: "Ann", lastName: "Lee" };
  await succeed(openBrowser().post("/identity/complete-invitation", setUp));
  expect(await enter(email, new_password)).toBe("session");
});
