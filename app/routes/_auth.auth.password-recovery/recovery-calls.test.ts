import { expect, test } from "vitest";
import { type CallApi, callApi } from "#app/api/call-api.ts";
import { changePassword, sendCode } from "./recovery-calls.ts";

/** An API that gives the same answer to every call, and records the calls. */
function api(answer: { status: number; message: string }) {
  const asked: { path: string; body: unknown }[] = [];
  const fetcher = (async (path: string, init: RequestInit) => {
    asked.push({ path, body: JSON.parse(String(init.body)) });
    const word = answer.status === 200 ? "success" : "failure";
    const body = { status: word, message: answer.message, result: null, code: null };
    return new Response(JSON.stringify(body), { status: answer.status });
  }) as typeof fetch;
  const call: CallApi = (line, input, options) => callApi(line, input, { ...options, fetch: fetcher });
  return { call, asked };
}

const change = { email: "a@b.co", code: "12345678", password: 'Rq7"vmK2pLd!' };

test("[A-351] recovery sends the e-mail address, then address, code and new password", async () => {
  const { call, asked } = api({ status: 200, message: "ok" });
  await sendCode(call, "a@b.co");
  await changePassword(call, change);
  expect(asked).toEqual([
    { path: "/identity/forgot-password", body: { email: "a@b.co" } },
    {
      path: "/identity/confirm-password",
      body: { email: "a@b.co", code: "12345678", new_password: 'Rq7"vmK2pLd!' },
    },
  ]);
});

test("[A-411] [A-412] 'Invalid lambda function output' counts as a success of both steps", async () => {
  const { call } = api({ status: 500, message: "Invalid lambda function output" });
  await expect(sendCode(call, "a@b.co")).resolves.toBeUndefined();
  await expect(changePassword(call, change)).resolves.toBeUndefined();
});

test("every other failure is a failure", async () => {
  const { call } = api({ status: 400, message: "The verification code is wrong or has expired." });
  await expect(sendCode(call, "a@b.co")).rejects.toThrow();
  await expect(changePassword(call, change)).rejects.toThrow("wrong or has expired");
});
