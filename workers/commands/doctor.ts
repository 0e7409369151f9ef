/**
 * `npm run doctor`: reports what this machine lacks to run and test the product. `--remote` prints the commands that
 * check a Cloudflare account the same way.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readDevVars } from "./dev-vars.ts";
import { findChromium } from "./find-chromium.ts";
import { portsFrom, takenPorts } from "./ports.ts";
import { isBuildStale } from "./screens-build.ts";
import { judgeServices } from "./service-settings.ts";
import { complaintsAbout } from "./settings-complaints.ts";
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
  const path = findChromium();
  if (path === null) {
    return { state: "note", text: "No Chromium is installed; npm test fetches one for the journeys." };
  }
  const { code, output } = await runTool(path, ["--version"]);
  return code === 0
    ? { state: "good", text: output.trim().split("\n").at(-1) ?? path }
    : { state: "bad", text: `${path} is no browser that starts, and the journeys would use it.` };
}

function settings(): Finding[] {
  const file = join(ROOT, ".dev.vars");
  if (!existsSync(file))
    return [{ state: "note", text: "There is no .dev.vars yet; npm start writes it with fresh keys." }];
  const vars = Object.fromEntries(readDevVars(readFileSync(file, "utf8")));
  // npm start supplies PUBLIC_URL when the file does not set it.
  const complaints = complaintsAbout({ PUBLIC_URL: "http://localhost:8787", ...vars });
  return [
    ...complaints.map((text): Finding => ({ state: "bad", text: `.dev.vars: ${text}` })),
    ...(complaints.length === 0 ? [{ state: "good" as const, text: ".dev.vars is complete." }] : []),
    ...judgeServices(vars).map(
      (verdict): Finding =>
        verdict.state === "lacking"
          ? { state: "bad", text: `${verdict.what} is named in .dev.vars, which lacks ${verdict.lacks}.` }
          : {
              state: "good",
              text: `${verdict.what} is ${verdict.state === "real" ? "set up" : "simulated"}.`,
            },
    ),
  ];
}

async function ports(): Promise<Finding[]> {
  const taken = await takenPorts(portsFrom(8787));
  return taken.map((text) => ({
    state: "note",
    text: `${text} If that is not Holdfast: npm start -- --port 9000`,
  }));
}

/** Checks that every typed binding is in the configuration. */
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
    ["databases: those of wrangler.toml", "wrangler d1 list"],
    [
      "buckets: six, in three lists",
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
