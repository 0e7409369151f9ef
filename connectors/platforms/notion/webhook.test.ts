import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import type { Json } from "#core/kernel/canonical-json.ts";
import { webhook } from "./webhook.ts";

/** The token and the event of Notion's documentation. */
const TOKEN = "secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl";
const WORKSPACE = "13950b26-c203-4f3b-b97d-93ec06319565";
const BOT = "1edc05f6-2702-81b5-8408-00279347f034";
const eventOf = (type: string) => ({
  id: "367cba44-b6f3-4c92-81e7-6a2e9659efd4",
  timestamp: "2024-12-05T23:55:34.285Z",
  workspace_id: WORKSPACE,
  workspace_name: "Quantify Labs",
  subscription_id: "29d75c0d-5546-4414-8459-7b7a92f1fc4b",
  integration_id: "0ef2e755-4912-8096-91c1-00376a88a5ca",
  type,
  authors: [{ id: "c7c11cca-1d73-471d-9b6e-bdef51470190", type: "person" }],
  accessible_by: [
    { id: "556a1abf-4f08-40c6-878a-75890d2a88ba", type: "person" },
    { id: BOT, type: "bot" },
  ],
  attempt_number: 1,
  entity: { id: "153104cd-477e-809d-8dc4-ff2d96ae3090", type: "page" },
  data: { parent: { id: "36cc9195-760f-4fff-a67e-3a46c559b176", type: "database" } },
});

const signed = (text: string, key = TOKEN) =>
  `sha256=${createHmac("sha256", key).update(text).digest("hex")}`;

/** Delivers a body; null = without a signature. */
function deliver(
  body: Json | string,
  { token = TOKEN, signature }: { token?: string; signature?: string | null } = {},
) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const headers = new Headers();
  const sent = signature === undefined ? signed(text) : signature;
  if (sent !== null) headers.set("X-Notion-Signature", sent);
  const delivery = { headers, body: new TextEncoder().encode(text) };
  return webhook.readDelivery(token === "" ? {} : { NOTION_WEBHOOK_TOKEN: token }, delivery);
}

test("a deletion and a changed schema name the workspace and the bots that reach it", async () => {
  const types = ["page.deleted", "database.deleted", "data_source.deleted", "data_source.schema_updated"];
  for (const type of types) {
    expect(await deliver(eventOf(type)), type).toEqual({
      kind: "changed",
      accountIds: [BOT],
      itemExternalId: WORKSPACE,
    });
  }
});

test("what people do all day hastens nothing, and neither does an event that is not known", async () => {
  for (const type of ["page.content_updated", "page.created", "comment.deleted", "view.deleted", "x"])
    expect(await deliver(eventOf(type)), type).toEqual({ kind: "other" });
  expect(await deliver({ type: "page.deleted", workspace_id: "no id" })).toEqual({ kind: "other" });
});

test("a delivery whose body or signature differs in one bit, or that has none, is refused", async () => {
  const event = JSON.stringify(eventOf("page.deleted"));
  const right = signed(event);
  expect(await deliver(event, { signature: right })).toMatchObject({ kind: "changed" });
  const wrong = [
    `${right.slice(0, -1)}${right.endsWith("0") ? "1" : "0"}`,
    right.slice("sha256=".length),
    signed(event, `${TOKEN}x`),
    "",
    null,
  ];
  for (const signature of wrong)
    expect(await deliver(event, { signature }), String(signature)).toEqual({ kind: "forged" });
  expect(await deliver(`${event} `, { signature: right })).toEqual({ kind: "forged" });
  expect(await deliver("no JSON")).toEqual({ kind: "other" });
});

test("a handshake gives its token until one is set, and only then", async () => {
  const body = { verification_token: TOKEN };
  expect(await deliver(body, { token: "" })).toEqual({ kind: "handshake", secret: TOKEN });
  expect(await deliver({ verification_token: "secret_other" }, { signature: null })).toEqual({
    kind: "forged",
  });
  expect(await deliver(eventOf("page.deleted"), { token: "" })).toEqual({ kind: "forged" });
});
