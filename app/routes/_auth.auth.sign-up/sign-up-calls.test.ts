import { expect, test } from "vitest";
import { callApi } from "#app/api/call-api.ts";
import { signUpFormSchema } from "./form.schema.ts";
import { signUp } from "./sign-up-calls.ts";

const typed = {
  firstName: "Runa",
  lastName: "Holm",
  email: "Runa@Example.com",
  apps: ["github", "notion"],
  password: "Harbour7!Anchor^Rope",
};
const now = Date.parse("2026-11-21T14:00:00Z");

/** Signs up with an API that answers by path, and records the sent bodies. */
async function run(facts: { isEmbedded: boolean }, statuses: Record<string, number> = {}) {
  const sent: { path: string; body: unknown }[] = [];
  const fetcher = (async (path: string, init: RequestInit) => {
    sent.push({ path, body: JSON.parse(String(init.body)) });
    const status = statuses[path] ?? 200;
    const word = status === 200 ? "success" : "failure";
    const body = { status: word, message: "Taken.", result: { is_confirmed: facts.isEmbedded }, code: null };
    return new Response(JSON.stringify(body), { status });
  }) as typeof fetch;
  const outcome = await signUp(
    (line, input, options) => callApi(line, input, { ...options, fetch: fetcher }),
    signUpFormSchema.parse(typed),
    { ...facts, now },
  ).catch((error: Error) => error.message);
  return { sent, outcome };
}

const account = {
  email: "runa@example.com",
  password: typed.password,
  name: "Runa",
  family_name: "Holm",
  created_at: "2026-11-21T14:00:00.000Z",
  auto_confirm: false,
};

test("[A-370] [A-404] sign-up sends the account with its six members, then the selected apps", async () => {
  const { sent, outcome } = await run({ isEmbedded: false });
  expect(sent).toEqual([
    { path: "/identity/sign-up", body: account },
    {
      path: "/api/send-active-campaign-tags",
      body: { email: "runa@example.com", appsToProtect: ["github", "notion"] },
    },
  ]);
  expect(outcome).toEqual({ isConfirmed: false });
});

test("inside a marketplace app the account is confirmed at once", async () => {
  const { sent } = await run({ isEmbedded: true });
  expect(sent[0]?.body).toEqual({ ...account, auto_confirm: true });
});

test("after a refused account no apps are sent", async () => {
  const { sent, outcome } = await run({ isEmbedded: false }, { "/identity/sign-up": 429 });
  expect(sent).toHaveLength(1);
  expect(outcome).toMatch(/^Taken/);
});

test("failing to send the apps does not fail the account", async () => {
  const { outcome } = await run({ isEmbedded: false }, { "/api/send-active-campaign-tags": 500 });
  expect(outcome).toEqual({ isConfirmed: false });
});

test("[A-334] at least one app must be selected", () => {
  const none = signUpFormSchema.safeParse({ ...typed, apps: undefined });
  expect(none.error?.issues.map(({ message }) => message)).toEqual(["Choose at least one app"]);
  expect(signUpFormSchema.safeParse({ ...typed, apps: [] }).success).toBe(false);
  expect(signUpFormSchema.safeParse({ ...typed, apps: ["asana"] }).success).toBe(false);
  expect(signUpFormSchema.safeParse({ ...typed, apps: ["jira"] }).success).toBe(true);
});
