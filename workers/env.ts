import { z } from "zod";
import { parseMasterKeys } from "#core/vault/index.ts";

/**
 * The Worker's variables and secrets, checked once per isolate. Nothing else reads raw `env` values. Bindings
 * (databases, buckets, queues, Durable Objects) keep their generated types.
 */
const url = z.url().transform((text) => text.replace(/(?<!\/)\/+$/, ""));

/**
 * An OpenID provider's issuer, exactly as in its tokens (a trailing slash matters). Plain http is only allowed for
 * localhost.
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

/** Versioned keys. A malformed key fails the start-up check, not its first use. */
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
  /** The public URL of the app, e.g. `https://app.holdfast.example`. */
  PUBLIC_URL: url,
  /** Master keys of the vault, `version:base64url` separated by commas. The highest version wraps new keys. */
  MASTER_KEYS: keyRing,
  /** Keys that sign download links, in the same format. */
  LINK_KEYS: keyRing,
  /** MAC key for e-mailed codes and for the cookie of a known browser. */
  AUTH_SECRET: z.string().min(32),
  /** Where e-mails are posted when Cloudflare's mail binding is not used. */
  MAIL_URL: url.optional(),
  MAIL_TOKEN: z.string().optional(),
  MAIL_FROM: z.string().default("Holdfast <no-reply@holdfast.example>"),
  /** Length of a Backup-now window in minutes (spec P-213, P-215): 1440; 10 in development. */
  /** The public half of the offline key for dumps of the control database; empty = no dumps are made. */
  DUMP_PUBLIC_KEY: z
    .string()
    .regex(/^([A-Za-z0-9_-]{87})?$/, "must be the line that npm run open-dump -- --new-key prints")
    .default(""),
  BACKUP_NOW_WINDOW_MINUTES: z.coerce.number().int().positive().default(1440),
  /** "on" where Durable Object jurisdictions are supported; local workerd does not support them. */
  DO_JURISDICTION: z.enum(["on", "off"]).default("off"),
  /** "on": a page with `timeoff` in its URL keeps its session alive (spec A-291); for the demo and tests only. */
  SESSION_TIMEOFF: z.enum(["on", "off"]).default("off"),
  /**
   * "on": embedded or marketplace mode, which hides subscriptions, the app connector and checkout (spec ).
   */
  RESTRICTED_MODE: z.enum(["on", "off"]).default("off"),
  /** "on": every page shows the maintenance screen, every call answers 503 (spec A-104), and no database is queried. */
  MAINTENANCE: z.enum(["on", "off"]).default("off"),
  /** "on", in production only: a sign-up is added to `window.dataLayer`, which a tag manager may read (spec A-408). */
  MARKETING_EVENTS: z.enum(["on", "off"]).default("off"),
  /** The help centre that the Support link opens (spec A-089); empty = the contact page. */
  HELP_URL: z.union([z.literal(""), z.url()]).default(""),
  /** Receives contact requests. The maintenance screen's Contact Us opens a mail to it. */
  CONTACT_EMAIL: z.email().default("support@holdfast.example"),
  /** The contact in security.txt for vulnerability reports, with `mailto:` or `https:`; empty = CONTACT_EMAIL. */
  SECURITY_CONTACT: z
    .union([
      z.literal(""),
      z.string().regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, "must be mailto:… or https://…"),
    ])
    .default(""),
  /**
   * The payment provider. Without a secret key nothing is sold and every call about payments answers 503. The key's
   * prefix says whether its events are live ones.
   */
  STRIPE_API_URL: url.default("https://api.stripe.com"),
  STRIPE_SECRET_KEY: z.string().default(""),
  STRIPE_WEBHOOK_SECRET: z.string().default(""),
  STRIPE_PUBLISHABLE_KEY: z.string().default(""),
  /** The provider's script in the browser. */
  STRIPE_JS_URL: url.default("https://js.stripe.com/endive/stripe.js"),
  GITHUB_API_URL: url.default("https://api.github.com"),
  GITHUB_WEB_URL: url.default("https://github.com"),
  GITHUB_CLIENT_ID: z.string().default(""),
  GITHUB_CLIENT_SECRET: z.string().default(""),
  GITHUB_APP_SLUG: z.string().default("holdfast-backup"),
  /** Social sign-in. A provider without a client id is not offered. */
  GOOGLE_ISSUER: issuer.transform((text) => text ?? "https://accounts.google.com"),
  GOOGLE_CLIENT_ID: z.string().default(""),
  GOOGLE_CLIENT_SECRET: z.string().default(""),
  /**
   * Single sign-on of a company. Users type its domain, and the provider is trusted for e-mail addresses of that
   * domain.
   */
  ENTERPRISE_ISSUER: issuer,
  ENTERPRISE_CLIENT_ID: z.string().default(""),
  ENTERPRISE_CLIENT_SECRET: z.string().default(""),
  ENTERPRISE_DOMAIN: z.string().trim().max(25).default(""),
  /**
   * The alternative single sign-on, selected by the login page's query `okta`. Its domain defaults to the company's.
   */
  OKTA_ISSUER: issuer,
  OKTA_CLIENT_ID: z.string().default(""),
  OKTA_CLIENT_SECRET: z.string().default(""),
  OKTA_DOMAIN: z.string().trim().max(25).default(""),
});

export type Settings = z.infer<typeof settingsSchema>;

let cached: { source: object; settings: Settings } | null = null;

/** The validated settings. @throws ZodError naming every variable that is missing or malformed */
export function readSettings(env: object): Settings {
  if (cached?.source !== env) cached = { source: env, settings: settingsSchema.parse(env) };
  return cached.settings;
}
