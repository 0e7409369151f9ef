import { Client } from "@notionhq/client";
import { expect, test } from "vitest";
import { notionForTest } from "./test-world.ts";

const BACK = "http://localhost:8787/connect/notion/callback";

/** Notion's own client does not know the code `invalid_grant`, so its error has the status. */
const GONE = { status: 400, body: expect.stringContaining("invalid_grant") };

async function consentWorld() {
  const notion = await notionForTest();
  const first = await notion.control("pages", { title: "Chosen" });
  const second = await notion.control("pages", { title: "Not chosen" });
  const { clientId, clientSecret } = notion.world.settings;
  const query = {
    client_id: clientId,
    response_type: "code",
    owner: "user",
    redirect_uri: BACK,
    state: "s 1",
  };
  const address = `${notion.url}/v1/oauth/authorize`;
  const place = `nora ${notion.world.state.workspaces[0]!.id}`;
  const decide = async (decision: string, pages: string[]) => {
    const form = new URLSearchParams({ ...query, place, decision });
    for (const id of pages) form.append("page", id);
    const answer = await fetch(address, { method: "POST", body: form, redirect: "manual" });
    return new URL(answer.headers.get("location") ?? "").searchParams;
  };
  const client = new Client({ baseUrl: notion.url, notionVersion: "2025-09-03", retry: false });
  const credentials = { client_id: clientId, client_secret: clientSecret };
  const exchange = (code: string, redirect_uri = BACK) =>
    client.oauth.token({ ...credentials, grant_type: "authorization_code", code, redirect_uri });
  const renew = (refresh_token: string) =>
    client.oauth.token({ ...credentials, grant_type: "refresh_token", refresh_token });
  return { ...notion, first, second, query, address, place, decide, client, credentials, exchange, renew };
}

test("a person chooses a workspace, then pages, and the token covers only those", async () => {
  const { address, decide, exchange, first, json, place, query, refusalOf, second } = await consentWorld();
  const people = await (await fetch(`${address}?${new URLSearchParams(query)}`)).text();
  expect(people).toContain("Nora Lindqvist");
  const picker = await (await fetch(`${address}?${new URLSearchParams({ ...query, place })}`)).text();
  expect([picker.includes("Chosen"), picker.includes("Allow access")]).toEqual([true, true]);
  const back = await decide("allow", [first.id]);
  expect(back.get("state")).toBe("s 1");
  const token = await exchange(back.get("code") ?? "");
  expect(token).toMatchObject({ token_type: "bearer", workspace_name: "Meridian Freight" });
  expect(token.owner).toMatchObject({ type: "user", user: { name: "Nora Lindqvist" } });
  const as = token.access_token;
  expect((await json(`/pages/${first.id}`, { as })).id).toBe(first.id);
  expect((await refusalOf(`/pages/${second.id}`, { as }))[0]).toBe(404);
});

test("cancelling sends back an error, and a wrong request does not send back at all", async () => {
  const { address, decide, query } = await consentWorld();
  expect(Object.fromEntries(await decide("cancel", []))).toEqual({ error: "access_denied", state: "s 1" });
  const wrongs: Record<string, string>[] = [
    { client_id: "other" },
    { redirect_uri: "https://elsewhere.example/" },
    { owner: "workspace" },
    { scope: "read" },
  ];
  for (const wrong of wrongs) {
    const asked = new URLSearchParams({ ...query, ...wrong });
    expect((await fetch(`${address}?${asked}`, { redirect: "manual" })).status).toBe(400);
  }
});

test("a code works once, for its address, and only with the client's secret", async () => {
  const { credentials, client, decide, exchange, first } = await consentWorld();
  const code = async () => (await decide("allow", [first.id])).get("code") ?? "";
  await expect(exchange(await code(), "http://localhost:8787/other")).rejects.toMatchObject(GONE);
  const good = await code();
  await exchange(good);
  await expect(exchange(good)).rejects.toMatchObject(GONE);
  const wrong = { ...credentials, client_secret: "guess", redirect_uri: BACK };
  const guess = client.oauth.token({ ...wrong, grant_type: "authorization_code", code: await code() });
  await expect(guess).rejects.toMatchObject({ status: 401 });
});

test("a refresh gives new tokens and ends the old ones; a revoked token is no longer active", async () => {
  const { client, credentials, decide, exchange, first, json, refusalOf, renew } = await consentWorld();
  const before = await exchange((await decide("allow", [first.id])).get("code") ?? "");
  const after = await renew(before.refresh_token ?? "");
  expect(after.bot_id).toBe(before.bot_id);
  expect((await refusalOf("/users/me", { as: before.access_token }))[0]).toBe(401);
  expect((await json("/users/me", { as: after.access_token })).id).toBe(before.bot_id);
  await expect(renew(before.refresh_token ?? "")).rejects.toMatchObject(GONE);
  const token = after.access_token;
  expect((await client.oauth.introspect({ ...credentials, token })).active).toBe(true);
  await client.oauth.revoke({ ...credentials, token });
  expect((await client.oauth.introspect({ ...credentials, token })).active).toBe(false);
  expect((await refusalOf("/users/me", { as: token }))[0]).toBe(401);
});

test("who authorises again keeps the bot and replaces the choice of pages", async () => {
  const { decide, exchange, first, json, refusalOf, second } = await consentWorld();
  const earlier = await exchange((await decide("allow", [first.id])).get("code") ?? "");
  const later = await exchange((await decide("allow", [second.id])).get("code") ?? "");
  expect([later.bot_id, later.access_token === earlier.access_token]).toEqual([earlier.bot_id, false]);
  expect((await json(`/pages/${second.id}`, { as: earlier.access_token })).id).toBe(second.id);
  expect((await refusalOf(`/pages/${first.id}`, { as: later.access_token }))[0]).toBe(404);
});
