/**
 * `npm run deploy -- --domain app.example.com`: brings the product onto a Cloudflare account, the first time and
 * every time after. It creates only what is missing, so it may be repeated after any failure; `--dry-run` prints
 * what it would do. Needs CLOUDFLARE_API_TOKEN (or `wrangler login`).
 */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { listSignInProviders, SIGN_IN_PROVIDERS } from "#core/accounts/federation/providers.ts";
import { settingsSchema } from "#workers/env.ts";
import {
  type DeployedState,
  type DeploymentStep,
  missingSecrets,
  productionConfig,
  provisioningPlan,
  releasePlan,
} from "./deployment-plan.ts";
import { readDevVars } from "./dev-vars.ts";
import { buildScreens } from "./screens-build.ts";
import { ROOT, runTool } from "./tools.ts";

const CONFIG = join(ROOT, "wrangler.production.toml");
const SECRETS = join(ROOT, ".production.vars");
const UPLOAD = join(ROOT, ".production.upload.json");

const { values } = parseArgs({
  options: { domain: { type: "string" }, "dry-run": { type: "boolean", default: false } },
});

try {
  await deploy();
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : String(cause));
  process.exitCode = 1;
}

async function deploy(): Promise<void> {
  if (!values.domain)
    throw new Error("Name the host that people will type: npm run deploy -- --domain app.example.com");
  const wish = { domain: values.domain, secrets: productionSecrets() };
  printSignIn(wish.domain, wish.secrets);
  const before = await stateBefore();
  const provisioning = provisioningPlan(before);
  const secrets = missingSecrets(before, wish);
  const secretsFile = Object.keys(secrets).length > 0 ? UPLOAD : null;
  const release = releasePlan({ config: CONFIG, secretsFile });
  if (values["dry-run"]) {
    print([...provisioning, ...release]);
    if (secretsFile) console.log(`Secrets to upload: ${Object.keys(secrets).join(", ")}`);
    return;
  }
  await carryOut(provisioning);
  const state = provisioning.length > 0 ? await readState() : before;
  writeFileSync(CONFIG, productionConfig(readFileSync(join(ROOT, "wrangler.toml"), "utf8"), state, wish));
  console.log("Building the screens");
  await buildScreens();
  if (secretsFile) writeFileSync(secretsFile, JSON.stringify(secrets), { mode: 0o600 });
  try {
    await carryOut(release);
  } finally {
    rmSync(UPLOAD, { force: true });
  }
  console.log(
    `Deployed to https://${values.domain}. Keep ${SECRETS} in a safe place: without MASTER_KEYS no vault opens.`,
  );
}

/**
 * Secrets of production, kept in `.production.vars` because Cloudflare never gives one back. Keys are made once;
 * credentials of platforms are filled in by a person.
 */
function productionSecrets(): Record<string, string> {
  const text = existsSync(SECRETS) ? readFileSync(SECRETS, "utf8") : "";
  const known = readDevVars(text);
  const key = () => randomBytes(32).toString("base64url");
  const generated = { MASTER_KEYS: `1:${key()}`, LINK_KEYS: `1:${key()}`, AUTH_SECRET: key() };
  const fresh = Object.entries(generated).filter(([name]) => !known.has(name));
  if (fresh.length > 0 && !values["dry-run"]) {
    const lines = fresh.map(([name, value]) => `${name}=${value}\n`).join("");
    writeFileSync(SECRETS, text === "" || text.endsWith("\n") ? text + lines : `${text}\n${lines}`, {
      mode: 0o600,
    });
  }
  return { ...Object.fromEntries(fresh), ...Object.fromEntries(known) };
}

/** Says which ways of signing in the file sets up; a malformed value stops here and not in production. */
function printSignIn(domain: string, secrets: Readonly<Record<string, string>>): void {
  const offered = listSignInProviders(settingsSchema.parse({ PUBLIC_URL: `https://${domain}`, ...secrets }));
  const absent = SIGN_IN_PROVIDERS.filter((provider) => !offered.includes(provider));
  console.log(`Sign-in through other services: ${offered.join(", ") || "none"}`);
  if (absent.length > 0) {
    const names = absent.map((provider) => `${provider.toUpperCase()}_…`).join(", ");
    console.log(`  not set up: ${absent.join(", ")} (${names} in .production.vars, see .dev.vars.example)`);
  }
}

/** A dry run without an account to look at shows what an empty one would get. */
async function stateBefore(): Promise<DeployedState> {
  const isSignedIn = (await runTool("wrangler", ["whoami", "--json"])).code === 0;
  if (isSignedIn || !values["dry-run"]) return readState();
  console.log("wrangler is not signed in to an account. This is the plan for an empty one:\n");
  return { databases: [], buckets: [], queues: [], secrets: [] };
}

async function readState(): Promise<DeployedState> {
  const databases = z
    .array(z.object({ name: z.string(), uuid: z.string() }))
    .parse(JSON.parse(await ask(["d1", "list", "--json"])));
  const lists = [await ask(["r2", "bucket", "list"])];
  for (const jurisdiction of ["eu", "us"])
    lists.push(await ask(["r2", "bucket", "list", "-J", jurisdiction]));
  const queues = await ask(["queues", "list"]);
  const secrets = await runTool("wrangler", ["secret", "list", "--name", "holdfast", "--format", "json"]);
  return {
    databases: databases.map(({ name, uuid }) => ({ name, id: uuid })),
    buckets: lists.flatMap((text) => [...text.matchAll(/^name:\s+(\S+)/gm)].map((match) => match[1] ?? "")),
    queues: [...queues.matchAll(/holdfast-[a-z-]+/g)].map(([name]) => name),
    // Before the first deployment there is no Worker to ask.
    secrets:
      secrets.code === 0 ? [...secrets.output.matchAll(/"name":\s*"([^"]+)"/g)].map((m) => m[1] ?? "") : [],
  };
}

async function ask(args: string[]): Promise<string> {
  const { code, output } = await runTool("wrangler", args);
  if (code !== 0) throw new Error(`wrangler ${args.join(" ")} failed:\n${output}`);
  return output;
}

async function carryOut(steps: readonly DeploymentStep[]): Promise<void> {
  for (const { what, args } of steps) {
    console.log(what);
    const { code, output } = await runTool("wrangler", args, { env: { CI: "1" } });
    if (code !== 0)
      throw new Error(
        `${what}: failed. Nothing is lost; repeat the command after repairing this:\n${output}`,
      );
  }
}

function print(steps: readonly DeploymentStep[]): void {
  for (const { what, args } of steps) console.log(`${what}\n  wrangler ${args.join(" ")}`);
}
