import { expect, test } from "vitest";
import { callApi } from "#app/api/call-api.ts";
import { verify } from "./verify-calls.ts";

const link = { iv: "aXY", content: "1.Y29udGVudA" };

/** The result of a link with this server response, and the sent bodies. */
async function run(status: number, envelope: object) {
  const sent: { path: string; body: unknown }[] = [];
  const fetcher = (async (path: string, init: RequestInit) => {
    sent.push({ path, body: JSON.parse(String(init.body)) });
    return new Response(JSON.stringify(envelope), { status });
  }) as typeof fetch;
  const verdict = await verify(
    (line, input, options) => callApi(line, input, { ...options, fetch: fetcher }),
    link,
  );
  return { sent, verdict };
}

const success = (result: unknown) => ({ status: "success", message: null, result, code: null });
const failure = (message: string, code: string) => ({ status: "failure", message, result: null, code });

test("a link is sent unchanged, and confirms or requests a password", async () => {
  const { sent, verdict } = await run(200, success({ kind: "confirmed" }));
  expect(sent).toEqual([{ path: "/api/email-verification", body: link }]);
  expect(verdict).toEqual({ kind: "confirmed" });
  const waiting = { kind: "password_needed", email: "a@b.example", name: "Ann", family_name: "Lee" };
  expect((await run(200, success(waiting))).verdict).toEqual(waiting);
});

test("a refusal shows the server's sentence, or a general one", async () => {
  const used = "This verification link has already been used";
  expect((await run(409, failure(used, "err.link.used"))).verdict).toEqual({ kind: "failed", text: used });
  const wrong = { kind: "failed", text: "Something went wrong. Please try again later" };
  for (const envelope of [failure("Boom", "err.internal"), success({ kind: "other" }), {}]) {
    expect((await run(500, envelope)).verdict).toEqual(wrong);
  }
});
