import { expect, test } from "vitest";
import { callApi } from "#app/api/call-api.ts";
import { completeInvitation } from "./complete-invitation.ts";
import { inviteFormSchema } from "./form.schema.ts";

const typed = {
  email: "Nora@Example.com",
  code: " inv_7f3a.Zk-9_x ",
  password: 'Rq7"vmK2pLd!',
  firstName: "Nora",
  lastName: "Lindqvist",
};

async function run(status: number) {
  const sent: { path: string; body: unknown }[] = [];
  const fetcher = (async (path: string, init: RequestInit) => {
    sent.push({ path, body: JSON.parse(String(init.body)) });
    const word = status === 200 ? "success" : "failure";
    return new Response(JSON.stringify({ status: word, message: "Not valid.", result: null, code: null }), {
      status,
    });
  }) as typeof fetch;
  const outcome = await completeInvitation(
    (line, input, options) => callApi(line, input, { ...options, fetch: fetcher }),
    inviteFormSchema.parse(typed),
  ).then(
    () => "done",
    () => "refused",
  );
  return { sent, outcome };
}

test("[A-226] [A-253] accepting sends the code with new password and both names, then signs out", async () => {
  const { sent, outcome } = await run(200);
  expect(outcome).toBe("done");
  expect(sent).toEqual([
    {
      path: "/identity/complete-invitation",
      body: {
        email: "nora@example.com",
        confirmation_code: "inv_7f3a.Zk-9_x",
        new_password: 'Rq7"vmK2pLd!',
        firstName: "Nora",
        lastName: "Lindqvist",
      },
    },
    { path: "/identity/sign-out", body: {} },
  ]);
});

test("a refused acceptance keeps the browser's session", async () => {
  const { sent, outcome } = await run(400);
  expect(outcome).toBe("refused");
  expect(sent).toHaveLength(1);
});

test("[A-150] an invalid e-mail address in the link blocks the form", () => {
  const issues = inviteFormSchema.safeParse({ ...typed, email: "bad" }).error?.issues;
  expect(issues?.map(({ path, message }) => [path.join("."), message])).toEqual([["email", "Invalid email"]]);
});
