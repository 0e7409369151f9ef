import { z } from "zod";
import type { Delivery, PlatformWebhook } from "#connectors/contract/webhook.ts";
import { equalBytes, hmacSha256, toHex, utf8 } from "#core/kernel/crypto.ts";
import { idSchema } from "./payloads.ts";

const handshakeSchema = z.strictObject({ verification_token: z.string().min(1).max(200) });

/**
 * An event. The bots that reach what changed are accounts of ours. Source: developers.notion.com, "Event types & delivery".
 */
const eventSchema = z.looseObject({
  type: z.string(),
  workspace_id: idSchema,
  accessible_by: z.array(z.looseObject({ id: idSchema, type: z.string() })).default([]),
});

/**
 * Events that make a backup come sooner: something left the workspace, or a table lost or changed its columns. What people
 * write all day does not, because every workspace in use would then be backed up twice as often as its plan says.
 */
const HASTENING = /^(?:page|database|data_source)\.(?:deleted|schema_updated)$/;

/**
 * Webhooks of the connection. Notion signs each delivery with the token that it sent to our address when the webhook was set
 * up (developers.notion.com, "Webhooks"). Events have no content, so they never replace reading.
 */
export const webhook: PlatformWebhook = {
  async readDelivery({ NOTION_WEBHOOK_TOKEN: token = "" }, { headers, body }) {
    const json = parse(body);
    const handshake = handshakeSchema.safeParse(json);
    // Once the token is known, another one is nobody's to send.
    if (token === "")
      return handshake.success
        ? { kind: "handshake", secret: handshake.data.verification_token }
        : { kind: "forged" };
    const expected = utf8(`sha256=${toHex(await hmacSha256(utf8(token), body))}`);
    if (!equalBytes(expected, utf8(headers.get("X-Notion-Signature") ?? ""))) return { kind: "forged" };
    return deliveryOf(json);
  },
};

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}

function deliveryOf(json: unknown): Delivery {
  const event = eventSchema.safeParse(json);
  if (!event.success || !HASTENING.test(event.data.type)) return { kind: "other" };
  const { workspace_id: itemExternalId, accessible_by: reached } = event.data;
  const accountIds = reached.flatMap(({ id, type }) => (type === "bot" ? [id] : []));
  return { kind: "changed", accountIds, itemExternalId };
}
