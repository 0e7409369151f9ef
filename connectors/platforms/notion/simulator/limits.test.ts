import { expect, test } from "vitest";
import { CAPABILITIES } from "./state.ts";
import { notionForTest } from "./test-world.ts";

test("three requests a second pass on average; beyond the burst comes 429 with the seconds to wait", async () => {
  const { ask, control, refusalOf } = await notionForTest();
  await control("settings", { burst: 3 });
  for (let index = 0; index < 3; index += 1) expect((await ask("/users/me")).status).toBe(200);
  const refused = await ask("/users/me");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  await control("clock", { advanceMs: 1_000 });
  expect((await ask("/users/me")).status).toBe(200);
  await control("exhaust-quota");
  expect((await refusalOf("/users/me")).slice(0, 2)).toEqual([429, "rate_limited"]);
});

test("a fault gives a conflict, an overload, or an answer whose outcome nobody knows", async () => {
  const { ask, control, fault } = await notionForTest();
  fault({
    match: { path: "/users/me" },
    action: { kind: "answer", status: 409, body: { object: "error", status: 409, code: "conflict_error" } },
  });
  expect((await ask("/users/me")).status).toBe(409);
  fault({ match: {}, action: { kind: "rate-limit", shape: "overload" } });
  expect((await ask("/users/me")).status).toBe(529);
  await control("spoil-answers", { path: "/users/me" });
  expect((await ask("/users/me")).status).toBe(504);
});

test("a request without a token, with a wrong version, or with parts that the contract lacks is refused", async () => {
  const { control, log, refusalOf } = await notionForTest();
  const { id } = await control("pages", { title: "One" });
  expect(await refusalOf("/users/me", { as: null })).toEqual([401, "unauthorized", "API token is invalid."]);
  expect((await refusalOf("/users/me", { headers: { "Notion-Version": "2022-06-28" } }))[1]).toBe(
    "validation_error",
  );
  expect((await refusalOf(`/pages/${id}?expand=1`))[1]).toBe("validation_error");
  expect((await refusalOf("/pages/seven"))[1]).toBe("validation_error");
  const search = { method: "POST", body: JSON.stringify({ quert: "One" }) };
  expect((await refusalOf("/search", search))[1]).toBe("validation_error");
  expect((await refusalOf("/invalid")).slice(0, 3)).toEqual([
    400,
    "invalid_request_url",
    "Invalid request URL.",
  ]);
  expect(log.refusals()).toHaveLength(5);
});

test("a connection that may not read comments or people is told so", async () => {
  const { control, grant, json, refusalOf } = await notionForTest();
  const { id } = await control("pages", { title: "One" });
  const without = (...names: string[]) =>
    grant({ rootIds: [id], capabilities: CAPABILITIES.filter((name) => !names.includes(name)) }).token;
  expect((await refusalOf(`/comments?block_id=${id}`, { as: without("read_comments") })).slice(0, 2)).toEqual(
    [403, "restricted_resource"],
  );
  expect((await refusalOf("/users", { as: without("read_users") }))[0]).toBe(403);
  const { results } = await json("/users", { as: without("read_emails") });
  expect(results[0].person).toEqual({});
});
