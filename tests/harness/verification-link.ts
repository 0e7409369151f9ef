import { env } from "cloudflare:workers";
import { openMailData } from "#core/mail/seal-data.ts";

/** The data of the newest e-mail of this kind to the address, read from the outbox. */
export async function readMailData(email: string, message: string): Promise<Record<string, unknown>> {
  const row = await env.DB.prepare(
    "select id, data from mail_outbox where recipient = ? and message = ? order by created_at desc, rowid desc limit 1",
  )
    .bind(email, message)
    .first<{ id: string; data: string }>();
  if (!row) throw new Error(`there is no ${message} for ${email}`);
  const data = await openMailData(
    { settings: { MASTER_KEYS: env.MASTER_KEYS } },
    row.id,
    JSON.parse(row.data),
  );
  return data as Record<string, unknown>;
}

/** The two query values of the newest confirmation link for the address. */
export async function readVerificationLink(email: string): Promise<{ content: string; iv: string }> {
  const { url } = await readMailData(email, "verify-email");
  const query = new URL(String(url)).searchParams;
  return { content: query.get("content") ?? "", iv: query.get("iv") ?? "" };
}
