import type { Context } from "hono";
import { noteChange } from "#core/backups/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { logger } from "#core/kernel/logger.ts";
import type { ApiEnv } from "../api-env.ts";
import { successEnvelope } from "../envelope.ts";
import { readBytes } from "../read-body.ts";

const log = logger("webhooks");
/** Events name what changed and do not contain it. */
const MOST_BYTES = 512_000;

/**
 * POST /hooks/{platform} — what platforms report by themselves. The signature is made over the raw body. The secret of a
 * handshake goes to the log, where only operators read it: it is in force once they set it and confirm it at the platform.
 */
export async function takeDelivery(c: Context<ApiEnv>): Promise<Response> {
  const { services: s } = c.var;
  const platform = c.req.param("platform") ?? "";
  const webhook = s.connectors.get(platform)?.webhook;
  if (!webhook) throw new AppError("err.not.found");
  const body = await readBytes(c.req.raw, MOST_BYTES);
  const delivery = await webhook.readDelivery(s.connectorConfig, { headers: c.req.raw.headers, body });
  switch (delivery.kind) {
    case "forged":
      throw new AppError("err.request.invalid");
    case "handshake":
      log.warn("{platform} sent the token that confirms its webhook: {confirmation}", {
        platform,
        confirmation: delivery.secret,
      });
      break;
    case "changed":
      await noteChange(s, platform, delivery);
      break;
    case "other":
      break;
    default:
      delivery satisfies never;
  }
  return c.json(successEnvelope({ result: null }));
}
