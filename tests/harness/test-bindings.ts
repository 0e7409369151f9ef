import { readD1Migrations } from "@cloudflare/vitest-plugin";
import { sweepSettings } from "./sweep-settings.ts";

/**
 * Variables and migrations for every test in workerd. Keys are fixed: they protect nothing. Every variable that a
 * developer's `.dev.vars` may set is set here too, so that a test never uses real keys or a real account.
 */
export async function workerTestBindings() {
  return {
    ...sweepSettings(),
    CONTROL_MIGRATIONS: await readD1Migrations("./migrations/control"),
    LEDGER_MIGRATIONS: await readD1Migrations("./migrations/ledger"),
    PUBLIC_URL: "https://app.example.test",
    MASTER_KEYS: "1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
    LINK_KEYS: "1:ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8",
    GITHUB_WEB_URL: "https://github.example.test",
    GITHUB_API_URL: "https://api.github.example.test",
    GITHUB_CLIENT_ID: "test-client",
    GITHUB_CLIENT_SECRET: "test-client-secret",
    GITHUB_APP_SLUG: "holdfast-test",
    S3_API_URL: "http://127.0.0.1:9",
    S3_ADDRESSING: "path",
    TRELLO_URL: "https://trello.example.test",
    TRELLO_API_URL: "https://api.trello.example.test/1",
    TRELLO_AUTH_URL: "https://auth.trello.example.test",
    TRELLO_CLIENT_ID: "test-client",
    TRELLO_CLIENT_SECRET: "test-client-secret",
    TRELLO_API_KEY: "",
    JIRA_CLIENT_ID: "test-client",
    JIRA_CLIENT_SECRET: "test-client-secret",
    NOTION_CLIENT_ID: "",
    NOTION_CLIENT_SECRET: "",
    STRIPE_API_URL: "http://127.0.0.1:9",
    STRIPE_SECRET_KEY: "",
    STRIPE_WEBHOOK_SECRET: "",
    STRIPE_PUBLISHABLE_KEY: "",
    STRIPE_JS_URL: "http://127.0.0.1:9/stripe.js",
    FORGE_APP_ID: "",
    FORGE_JWKS_URL: "http://127.0.0.1:9/jwks.json",
    FORGE_SITE_ORIGINS: "https://*.atlassian.net",
    FORGE_SHELL_ORIGINS: "",
    GOOGLE_ISSUER: "https://google.example.test",
    GOOGLE_CLIENT_ID: "",
    GOOGLE_CLIENT_SECRET: "",
    ENTERPRISE_ISSUER: "",
    ENTERPRISE_CLIENT_ID: "",
    ENTERPRISE_CLIENT_SECRET: "",
    ENTERPRISE_DOMAIN: "",
    OKTA_ISSUER: "",
    OKTA_CLIENT_ID: "",
    OKTA_CLIENT_SECRET: "",
    OKTA_DOMAIN: "",
    MAIL_URL: "http://127.0.0.1:9",
    MAIL_TOKEN: "test-mail-token",
    BACKUP_NOW_WINDOW_MINUTES: "1440",
    SESSION_TIMEOFF: "off",
    AUTH_SECRET: "QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZXWFlaW1xdXl8",
  };
}
