import type { Context } from "hono";
import { DAY_MS } from "#core/kernel/clock.ts";
import type { ApiEnv } from "../api-env.ts";

/** Validity of the file. The standard recommends less than a year. */
const VALID_MS = 180 * DAY_MS;

/** GET /.well-known/security.txt — where to report a vulnerability (RFC 9116). */
export function securityTxt(c: Context<ApiEnv>): Response {
  const { clock, settings } = c.var.services;
  const { SECURITY_CONTACT, CONTACT_EMAIL, PUBLIC_URL } = settings;
  const midnight = Math.floor(clock.now() / DAY_MS) * DAY_MS;
  const expires = new Date(midnight + VALID_MS).toISOString().replace(".000", "");
  const fields = [
    `Contact: ${SECURITY_CONTACT || `mailto:${CONTACT_EMAIL}`}`,
    `Expires: ${expires}`,
    "Preferred-Languages: en",
    `Canonical: ${PUBLIC_URL}/.well-known/security.txt`,
  ];
  return c.body(`${fields.join("\n")}\n`, 200, { "Content-Type": "text/plain; charset=utf-8" });
}
