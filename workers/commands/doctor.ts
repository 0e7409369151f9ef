/**
 * `npm run doctor`: says in sentences what this machine lacks to run and test the product. `--remote` prints the
 * commands that look at a Cloudflare account the same way.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { listSignInProviders, SIGN_IN_PROVIDERS } from "#core/accounts/federation/providers.ts";
import { type Settings, settingsSchema } from "#workers/env.ts";
import { readDevVars } from "./dev-vars.ts";
import { takenPorts } from "./ports.ts";
import { isBuildStale } from "./screens-build.ts";
import { ROOT, runTool } from "./tools.ts";

type Finding = { state: "good" | "note" | "bad"; text: string };

const { values } = parseArgs({ options: { remote: { type: "boolean", default: false } } });
const findings = [
  node(),
  await git(),
  await browser(),
  ...settings(),
  ...(await ports()),
  ...bindings(),
  screens(),
];
for (const { state, text } of findings) console.log(`${{ good: "✓", note: "·", bad: "✗" }[state]} ${text}`);
if (values.remote) printRemoteChecks();
process.exitCode = findings.some((finding) => finding.state === "bad") ? 1 : 0;

function node(): Finding {
  const major = Number(process.versions.node.split(".")[0]);
  return major >= 22
    ? { state: "good", text: `Node ${process.versions.node}` }
    : {
        state: "bad",
        text: `Node ${process.versions.node} is too old; run this through npm, which brings its own.`,
      };
}

async function git(): Promise<Finding> {
  const { code, output } = await runTool("git", ["--version"]);
  return code === 0
    ? { state: "good", text: output.trim() }
    : {
        state: "bad",
        text: "git is missing. The simulated GitHub serves repositories through it: apt-get install git",
      };
}

async function browser(): Promise<Finding> {
  for (const name of [process.env.CHROMIUM_PATH ?? "chromium", "chromium-browser", "google-chrome"]) {
    const { code, output } = await runTool(name, ["--version"]);
    if (code === 0) return { state: "good", text: output.trim().split("\n").at(-1) ?? name };
  }
  return { state: "note", text: "No Chromium is installed; npm test fetches one for the journeys." };
}

function settings(): Finding[] {
  const file = join(ROOT, ".dev.vars");
  if (!existsSync(file))
    return [{ state: "note", text: "There is no .dev.vars yet; npm start writes it with fresh keys." }];
  const vars = Object.fromEntries(readDevVars(readFileSync(file, "utf8")));
  // The address is given by npm start when the file does not name one.
  const checked = settingsSchema.safeParse({ PUBLIC_URL: "http://localhost:8787", ...vars });
  if (!checked.success) {
    return checked.error.issues.map((issue) => ({
      state: "bad",
      text: `.dev.vars: ${issue.path.join(".")} ${issue.message.toLowerCase()}.`,
    }));
  }
  const hasRealGithub = vars.GITHUB_WEB_URL !== undefined;
  const lacks = hasRealGithub && !(vars.GITHUB_CLIENT_ID && vars.GITHUB_CLIENT_SECRET);
  return [
    { state: "good", text: ".dev.vars is complete." },
    lacks
      ? {
          state: "bad",
          text: ".dev.vars names a GitHub but no GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET for it.",
        }
      : { state: "good", text: hasRealGithub ? `GitHub at ${vars.GITHUB_WEB_URL}` : "GitHub is simulated." },
    ...signIn(vars, checked.data),
  ];
}

/** A provider of which the file names anything is the real one, and must then be whole. */
function signIn(vars: Record<string, string>, settings: Settings): Finding[] {
  const offered: readonly string[] = listSignInProviders(settings);
  return SIGN_IN_PROVIDERS.map((provider): Finding => {
    const prefix = `${provider.toUpperCase()}_`;
    const what = `Sign-in through ${provider}`;
    if (!Object.keys(vars).some((name) => name.startsWith(prefix))) {
      return { state: "good", text: `${what} is simulated.` };
    }
    if (offered.includes(provider)) return { state: "good", text: `${what} is set up.` };
    const needed = provider === "google" ? "" : ` ${prefix}ISSUER, ${prefix}DOMAIN,`;
    return {
      state: "bad",
      text: `${what} is not offered: .dev.vars lacks one of${needed} ${prefix}CLIENT_ID, ${prefix}CLIENT_SECRET.`,
    };
  });
}

async function ports(): Promise<Finding[]> {
  const taken = await takenPorts([
    { port: 8787, what: "Holdfast" },
    { port: 8788, what: "simulated GitHub" },
    { port: 8789, what: "simulated mail" },
    { port: 8790, what: "simulated identity providers" },
  ]);
  return taken.map((text) => ({
    state: "note",
    text: `${text} If that is not Holdfast: npm start -- --port 9000`,
  }));
}

/** Every binding that the code is typed with must stand in the configuration. */
function bindings(): Finding[] {
  const types = readFileSync(join(ROOT, "worker-configuration.d.ts"), "utf8");
  const config = readFileSync(join(ROOT, "wrangler.toml"), "utf8");
  const typed = [
    ...types.matchAll(/^\t([A-Z_]+): (?:R2Bucket|D1Database|Queue|Fetcher|DurableObjectNamespace)/gm),
  ];
  const lacking = typed.map((match) => match[1] ?? "").filter((name) => !config.includes(`"${name}"`));
  return lacking.length === 0
    ? [{ state: "good", text: `${typed.length} bindings are configured.` }]
    : lacking.map((name) => ({ state: "bad", text: `wrangler.toml does not bind ${name}.` }));
}

function screens(): Finding {
  return isBuildStale()
    ? {
        state: "note",
        text: "The screens are not built, or older than their sources; npm start builds them.",
      }
    : { state: "good", text: "The screens are built." };
}

function printRemoteChecks(): void {
  console.log("\nTo look at a Cloudflare account:");
  const commands = [
    ["which account", "wrangler whoami"],
    ["databases: five named holdfast-…", "wrangler d1 list"],
    [
      "buckets: five, in three lists",
      "wrangler r2 bucket list; wrangler r2 bucket list -J eu; wrangler r2 bucket list -J us",
    ],
    ["queues: four, and a dead-letter queue for each", "wrangler queues list"],
    [
      "secrets: MASTER_KEYS, LINK_KEYS, AUTH_SECRET and those of the platforms and of sign-in (GOOGLE_…, ENTERPRISE_…, OKTA_…)",
      "wrangler secret list --name holdfast",
    ],
    ["what a deployment would do", "npm run deploy -- --domain <host> --dry-run"],
  ];
  for (const [what, command] of commands) console.log(`  ${command}    # ${what}`);
}
