import { z } from "zod";
import { parseMasterKeys } from "#core/vault/index.ts";

/**
 * The variables and secrets that the Worker reads, checked once per isolate. Nothing else reads raw `env`
 * values; bindings (databases, buckets, queues, objects) keep their generated types.
 */
const url = z.url().transform((text) => text.replace(/(?<!\/)\/+$/, ""));

/**
 * An OpenID provider's address, exactly as it names itself in its tokens (a slash at the end counts). Plain http is
 * only for this machine.
 */
const issuer = z
  .union([
    z.literal("").transform(() => undefined),
    z.string().refine(isIssuer, "must be an address with https, without query or fragment"),
  ])
  .optional();

function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash } = new URL(text);
  const isHere = protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return (protocol === "https:" || isHere) && search === "" && hash === "";
}

/** Versioned keys. A malformed one stops everything at once, not the first thing that needs it. */
const keyRing = z
  .string()
  .refine(isKeyRing, "must read 1:KEY, several separated by commas, each KEY the base64url of 32 bytes");

function isKeyRing(text: string): boolean {
  try {
    return parseMasterKeys(text).keys.size > 0;
  } catch {
    return false;
  }
}

export const settingsSchema = z.object({
  /** Where people reach the app, e.g. `https://app.holdfast.example`. */
  PUBLIC_URL: url,
  /** Master keys of the vault, `version:base64url` separated by commas; the highest version wraps new keys. */
  MASTER_KEYS: keyRing,
  /** Keys that sign download links, same form. */
  LINK_KEYS: keyRing,
  /** Key of the MACs over codes that are mailed and over the cookie of a known browser. */
  AUTH_SECRET: z.string().min(32),
  /** Where e-mails are posted when the platform's own mail binding is not used. */
  MAIL_URL: url.optional(),
  MAIL_TOKEN: z.string().optional(),
  MAIL_FROM: z.string().default("Holdfast <no-reply@holdfast.example>"),
  /** Length of a Backup-now window in minutes (spec P-213, P-215): 1440, in development 10. */
  BACKUP_NOW_WINDOW_MINUTES: z.coerce.number().int().positive().default(1440),
  /** "on" where the platform supports jurisdictions for Durable Objects; local workerd does not. */
  DO_JURISDICTION: z.enum(["on", "off"]).default("off"),
  /** "on": a page whose address says `timeoff` keeps its session alive (spec A-291); for the demo and tests only. */
  SESSION_TIMEOFF: z.enum(["on", "off"]).default("off"),
  /** "on": embedded or marketplace mode, which hides subscriptions, app connector and checkout (spec ). */
  RESTRICTED_MODE: z.enum(["on", "off"]).default("off"),
  /** "on": every page is the maintenance screen and every call answers 503 (spec A-104); nothing asks the databases. */
  MAINTENANCE: z.enum(["on", "off"]).default("off"),
  /** The help centre that Support opens (spec A-089); empty = the contact page. */
  HELP_URL: z.union([z.literal(""), z.url()]).default(""),
  /** Where people reach us: contact requests go there, and the maintenance screen's Contact Us opens a mail to it. */
  CONTACT_EMAIL: z.email().default("support@holdfast.example"),
  /** Where vulnerabilities are reported, as security.txt tells it: an address with `mailto:` or `https:`; empty = CONTACT_EMAIL. */
  SECURITY_CONTACT: z
    .union([
      z.literal(""),
      z.string().regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, "must be mailto:… or https://…"),
    ])
    .default(""),
  GITHUB_API_URL: url.default("https://api.github.com"),
  GITHUB_WEB_URL: url.default("https://github.com"),
  GITHUB_CLIENT_ID: z.string().default(""),
  GITHUB_CLIENT_SECRET: z.string().default(""),
  GITHUB_APP_SLUG: z.string().default("holdfast-backup"),
  /** Social sign-in. A provider without a client is not offered. */
  GOOGLE_ISSUER: issuer.transform((text) => text ?? "https://accounts.google.com"),
  GOOGLE_CLIENT_ID: z.string().default(""),
  GOOGLE_CLIENT_SECRET: z.string().default(""),
  /** Single sign-on of the company whose domain people type; the provider is believed about that domain's e-mails. */
  ENTERPRISE_ISSUER: issuer,
  ENTERPRISE_CLIENT_ID: z.string().default(""),
  ENTERPRISE_CLIENT_SECRET: z.string().default(""),
  ENTERPRISE_DOMAIN: z.string().trim().max(25).default(""),
  /** The alternative single sign-on that the query `okta` of the login page selects; its domain defaults to the company's. */
  OKTA_ISSUER: issuer,
  OKTA_CLIENT_ID: z.string().default(""),
  OKTA_CLIENT_SECRET: z.string().default(""),
  OKTA_DOMAIN: z.string().trim().max(25).default(""),
});

export type Settings = z.infer<typeof settingsSchema>;

let cached: { source: object; settings: Settings } | null = null;

/** The checked settings. @throws ZodError naming every variable that is missing or malformed */
export function readSettings(env: object): Settings {
  if (cached?.source !== env) cached = { source: env, settings: settingsSchema.parse(env) };
  return cached.settings;
}
