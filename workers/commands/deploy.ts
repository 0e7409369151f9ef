/**
 * `npm run deploy -- --domain app.example.com`: deploys the product to a Cloudflare account, the first time and every
 * time after. It only creates what is missing, so it can be repeated after any failure. `--dry-run` prints the plan.
 * Needs CLOUDFLARE_API_TOKEN (or `wrangler login`).
 */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { listSignInProviders, SIGN_IN_PROVIDERS } from "#core/accounts/federation/providers.ts";
import { settingsSchema } from "#workers/env.ts";
import { readAccount } from "./cloudflare-account.ts";
import {
  type DeployedState,
  type DeploymentStep,
  databasesIn,
  isHost,
  KEYS,
  productionConfig,
  provisioningPlan,
  releasePlan,
  secretsToUpload,
} from "./deployment-plan.ts";
import { appendVars, readDevVars, writePrivately } from "./dev-vars.ts";
import { buildScreens } from "./screens-build.ts";
import { setUpPayments } from "./set-up-payments.ts";
import { complaintsAbout } from "./settings-complaints.ts";
import { ROOT, runTool } from "./tools.ts";

const CONFIG = join(ROOT, "wrangler.production.toml");
const LOCK = join(ROOT, "workers/commands/dumps-lock.json");
const SECRETS = join(ROOT, ".production.vars");
const UPLOAD = join(ROOT, ".production.upload.json");

/** What `core/payments/projection.ts` relies on (docs.stripe.com/billing/revenue-recovery/smart-retries). */
const RETRY_POLICY =
  "Billing, Revenue recovery, Retries: Smart Retries, 8 times in 2 weeks, then mark the subscription as unpaid";

/** wrangler's error when a bucket (10004) or queue (11009) of that name already exists. */
const EXISTS = /already (exists|taken)|\[code: (10004|11009)\]/;

const { values } = parseArgs({
  options: { domain: { type: "string" }, "dry-run": { type: "boolean", default: false } },
});

// Remove the secrets file on every exit.
process.on("exit", () => rmSync(UPLOAD, { force: true }));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1));

try {
  await deploy();
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : String(cause));
  process.exitCode = 1;
}

async function deploy(): Promise<void> {
  const domain = values.domain ?? "";
  if (!isHost(domain))
    throw new Error("Name the host that people will type: npm run deploy -- --domain app.example.com");
  const before = await stateBefore();
  const base = readFileSync(join(ROOT, "wrangler.toml"), "utf8");
  const databases = databasesIn(base);
  const provisioning = provisioningPlan(before, databases);
  const written = existsSync(SECRETS) ? readFileSync(SECRETS, "utf8") : "";
  const text = appendVars(written, freshKeys(before, readDevVars(written)));
  const vars = Object.fromEntries(readDevVars(text));
  checkSettings(domain, vars, before);
  const secrets = secretsToUpload(before, vars);
  const secretsFile = Object.keys(secrets).length > 0 ? UPLOAD : null;
  const release = releasePlan({ config: CONFIG, databases, secretsFile, lockFile: LOCK });
  printSecrets(before, vars, secrets);
  if (values["dry-run"]) {
    print([...provisioning, ...release]);
    return;
  }
  if (text !== written) writePrivately(SECRETS, text);
  await carryOut(provisioning);
  const state = provisioning.length > 0 ? await readState() : before;
  writeFileSync(CONFIG, productionConfig(base, state, domain));
  console.log("Building the screens");
  await buildScreens();
  if (secretsFile) writePrivately(secretsFile, JSON.stringify(secrets));
  await carryOut(release);
  const published = await setUpPayments(vars);
  if (published === null) console.log("No STRIPE_SECRET_KEY in .production.vars: nothing is sold");
  else {
    console.log(`Prices at Stripe: ${published.length} created, the others and the portal are there already`);
    console.log(`  set in its Dashboard, because no call returns it: ${RETRY_POLICY}`);
  }
  console.log(
    `Deployed to https://${domain}. Keep .production.vars in a safe place: without MASTER_KEYS no vault opens.`,
  );
}

/**
 * The keys to generate. Cloudflare never reveals a secret, so `.production.vars` is their only copy. A key that the
 * Worker already has is not generated again when the file is missing: a file with different keys would look like a
 * backup, but would not be one.
 */
function freshKeys(state: DeployedState, known: ReadonlyMap<string, string>): Record<string, string> {
  const key = () => randomBytes(32).toString("base64url");
  const fresh = { MASTER_KEYS: `1:${key()}`, LINK_KEYS: `1:${key()}`, AUTH_SECRET: key() };
  return Object.fromEntries(
    Object.entries(fresh).filter(([name]) => !known.has(name) && !state.secrets.includes(name)),
  );
}

/** Fails on malformed values before anything is created, and prints which sign-in methods are configured. */
function checkSettings(domain: string, vars: Record<string, string>, state: DeployedState): void {
  // Use a stand-in for keys that only the Worker has.
  const standIns = freshKeys({ ...state, secrets: [] }, new Map());
  const settings = { PUBLIC_URL: `https://${domain}`, ...standIns, ...vars };
  const complaints = complaintsAbout(settings);
  if (complaints.length > 0)
    throw new Error(complaints.map((each) => `.production.vars: ${each}`).join("\n"));
  const offered = listSignInProviders(settingsSchema.parse(settings));
  const absent = SIGN_IN_PROVIDERS.filter((provider) => !offered.includes(provider));
  console.log(`Sign-in through other services: ${offered.join(", ") || "none"}`);
  if (absent.length > 0) {
    const names = absent.map((provider) => `${provider.toUpperCase()}_…`).join(", ");
    console.log(`  not set up: ${absent.join(", ")} (${names} in .production.vars, see .dev.vars.example)`);
  }
}

/**
 * Prints the names of secrets, never values: which are uploaded, which are kept, and which exist only at the Worker.
 */
function printSecrets(
  state: DeployedState,
  vars: Readonly<Record<string, string>>,
  uploaded: Readonly<Record<string, string>>,
): void {
  const say = (what: string, names: readonly string[]) => {
    if (names.length > 0) console.log(`${what}: ${names.join(", ")}`);
  };
  say("Secrets to upload", Object.keys(uploaded));
  say(
    "Keys that the Worker has and keeps (wrangler secret put NAME --name holdfast changes one)",
    KEYS.filter((name) => state.secrets.includes(name)),
  );
  say(
    "At the Worker, but not in .production.vars here (wrangler secret delete NAME --name holdfast takes one away)",
    state.secrets.filter((name) => !vars[name]),
  );
}

/** A dry run without a signed-in account shows the plan for an empty account. */
async function stateBefore(): Promise<DeployedState> {
  const isSignedIn = (await runTool("wrangler", ["whoami", "--json"])).code === 0;
  if (isSignedIn || !values["dry-run"]) return readState();
  console.log("wrangler is not signed in to an account. This is the plan for an empty one:\n");
  return { databases: [], buckets: [], queues: [], secrets: [] };
}

function readState(): Promise<DeployedState> {
  return readAccount((args) => runTool("wrangler", args, { env: { CI: "1" } }));
}

async function carryOut(steps: readonly DeploymentStep[]): Promise<void> {
  for (const { what, args, mayExist } of steps) {
    console.log(what);
    const { code, output } = await runTool("wrangler", args, { env: { CI: "1" } });
    if (mayExist && code !== 0 && EXISTS.test(output)) console.log("  exists already");
    else if (code !== 0)
      throw new Error(
        `${what}: failed. Nothing is lost; repeat the command after repairing this:\n${output}`,
      );
  }
}

function print(steps: readonly DeploymentStep[]): void {
  for (const { what, args } of steps) console.log(`${what}\n  wrangler ${args.join(" ")}`);
}
