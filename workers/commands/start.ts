/**
 * `npm start`: the whole product on this machine. Screens, Worker, databases, vault, queues and Durable Objects run in
 * workerd. Outside services (GitHub, GitLab, Trello, Jira, Notion, Stripe, mail) are simulated unless `.dev.vars` configures a real one. The
 * first start seeds a demo account by using the product as a user would. Later starts keep the data.
 */
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { claimFolder } from "./claim-folder.ts";
import { pastStatements } from "./demo-past.ts";
import { completeDevVars, formatVars, freshDevVars, readDevVars, writePrivately } from "./dev-vars.ts";
import { greetingOf } from "./greeting.ts";
import {
  boundDatabases,
  executeLocally,
  localWranglerEnv,
  migrateLocalDatabases,
} from "./local-databases.ts";
import { portsFrom, takenPorts } from "./ports.ts";
import { rebuildOnChange } from "./rebuild-on-change.ts";
import { buildScreens, isBuildStale } from "./screens-build.ts";
import { seedDemo } from "./seed-demo.ts";
import { setUpPayments } from "./set-up-payments.ts";
import { complaintsAbout } from "./settings-complaints.ts";
import { type OutsideWorld, simulatedVars } from "./simulated-vars.ts";
import { ROOT, runTool, type Service, startService } from "./tools.ts";
import { areVaultKeys, rememberVaultKeys } from "./vault-keys.ts";

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "8787" },
    dir: { type: "string", default: join(ROOT, ".demo") },
    reset: { type: "boolean", default: false },
    "no-seed": { type: "boolean", default: false },
    watch: { type: "boolean", default: false },
  },
});

const port = Number(values.port);
const directory = resolve(values.dir);
const appUrl = `http://localhost:${port}`;
const stateDir = join(directory, "state");
const seededMark = join(directory, "seeded.json");
const keysMark = join(directory, "vault-keys.json");
/** Everything that a start creates in `directory`, and that `--reset` deletes. */
const MADE_HERE = ["state", "simulators", "logs", "run.vars", "seeded.json", "vault-keys.json"];
/** The first start on a slow machine takes half of this. */
const START_PATIENCE_MS = 180_000;
const CRASH_PATIENCE_MS = 60_000;
const LEDGERS = boundDatabases().filter((binding) => binding !== "DB");
const services: Service[] = [];
const abort = new AbortController();
let isStopping = false;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop(0));
// npm forwards signals, but not when it is killed itself.
const parent = process.ppid;
if (process.env.npm_lifecycle_event) {
  setInterval(() => process.ppid !== parent && void stop(0), 1_000).unref();
}

try {
  await start();
} catch (cause) {
  if (!isStopping) {
    console.error(`\n${cause instanceof Error ? cause.message : String(cause)}`);
    await stop(1);
  }
}

async function start(): Promise<void> {
  if (!Number.isInteger(port) || port < 1 || port > 65_525) throw new Error(`${values.port} is no port.`);
  if ((await runTool("git", ["--version"])).code !== 0) {
    throw new Error(
      "git is missing; the simulated GitHub serves repositories through it: apt-get install git",
    );
  }
  demandWritable(ROOT);
  mkdirSync(directory, { recursive: true });
  demandWritable(directory);
  const holder = await claimFolder(directory, `${appUrl} (process ${process.pid})`);
  if (holder !== null) {
    const data = relative(process.cwd(), directory);
    throw new Error(
      `Holdfast is running already on the data in ${data}: ${holder}\nFor a second one: npm start -- --port 9000 --dir .demo/second`,
    );
  }
  const taken = await takenPorts(portsFrom(port));
  if (taken.length > 0) {
    throw new Error(`${taken.join("\n")}\nStop what uses it, or choose another: npm start -- --port 9000`);
  }
  if (values.reset)
    for (const name of MADE_HERE) rmSync(join(directory, name), { recursive: true, force: true });
  const ownVars = writeDevVars();
  say("Starting the simulated outside world");
  const outside = await startOutsideWorld();
  if (isBuildStale()) {
    say("Building the screens");
    await buildScreens();
  }
  say("Preparing the databases");
  await migrateLocalDatabases(stateDir);
  say("Starting the Worker");
  const simulated = simulatedVars(outside, new Set(ownVars.keys()));
  await setUpPayments({ ...simulated, ...Object.fromEntries(ownVars) });
  await startWorker(ownVars, simulated);
  startCrons();
  if (values.watch) rebuildOnChange({ say, signal: abort.signal });
  // The demo account gives consent at the simulated GitHub and reads its link in the simulated inbox.
  const { GITHUB_WEB_URL: githubUrl, MAIL_URL: mailUrl } = simulated;
  if (githubUrl && mailUrl && !values["no-seed"] && !existsSync(seededMark)) {
    say("Seeding the demo account: signing up, connecting, backing up, restoring. This takes a minute");
    const summary = await seedDemo({
      appUrl,
      githubUrl,
      gitlabUrl: simulated.GITLAB_URL ?? null,
      trelloUrl: simulated.TRELLO_URL ?? null,
      jiraUrl: simulated.JIRA_URL ?? null,
      notionUrl: simulated.NOTION_URL ?? null,
      mailUrl,
      say: (text) => say(`  ${text}`),
      signal: abort.signal,
      makeEverythingDue,
      spreadPast,
    }).catch((cause: Error) => {
      const next =
        "What is done stays: the next npm start goes on from here, npm start -- --no-seed leaves it so.";
      throw new Error(`The demo account is not complete: ${cause.message}\n${next}`);
    });
    writeFileSync(seededMark, `${JSON.stringify(summary)}\n`);
  }
  const logs = `${relative(ROOT, join(directory, "logs"))}/`;
  console.log(greetingOf({ appUrl, simulated, isSeeded: existsSync(seededMark), logs }));
}

function demandWritable(folder: string): void {
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw new Error(`${folder} cannot be written to; the build, the keys and the data belong there.`);
  }
}

/**
 * Completes `.dev.vars` and returns its variables.
 * @throws Error when the Worker would reject them, or when the existing data cannot be decrypted with them
 */
function writeDevVars(): Map<string, string> {
  const file = join(ROOT, ".dev.vars");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const completed = completeDevVars(text, freshDevVars());
  const vars = readDevVars(completed);
  const complaints = complaintsAbout({ PUBLIC_URL: appUrl, ...Object.fromEntries(vars) });
  if (complaints.length > 0) throw new Error(complaints.map((each) => `.dev.vars: ${each}`).join("\n"));
  const masterKeys = vars.get("MASTER_KEYS") ?? "";
  if (!areVaultKeys(keysMark, masterKeys)) {
    const data = relative(process.cwd(), directory);
    throw new Error(
      `The data in ${data} was encrypted with another MASTER_KEYS than .dev.vars has, and cannot be opened without it.\n` +
        "Put that line back, or begin anew: npm start -- --reset",
    );
  }
  if (completed !== text) {
    writePrivately(file, completed);
    say(`Wrote fresh random keys to ${relative(ROOT, file)}`);
  }
  rememberVaultKeys(keysMark, masterKeys);
  return vars;
}

async function startOutsideWorld(): Promise<OutsideWorld> {
  const dir = join(directory, "simulators");
  const args = ["--import", "tsx", "tests/simulators/serve.ts", "--dir", dir, "--port", String(port + 1)];
  const logFile = join(directory, "logs/simulators.log");
  const service = startService("node", args, { logFile, printsData: true });
  services.push(service);
  const line = new Promise<string>((settle) => {
    let text = "";
    service.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes("\n")) settle(text.slice(0, text.indexOf("\n")));
    });
  });
  const ended = service.ended.then(() => null);
  const addresses = await Promise.race([line, ended]);
  if (addresses === null) throw new Error(`The simulators ended:\n${service.lastWords()}`);
  guard(service, "The simulators");
  return JSON.parse(addresses) as OutsideWorld;
}

/**
 * Starts the Worker with the variables of this run. Values in `.dev.vars` win, so a real account is used by setting its
 * variables there.
 */
async function startWorker(
  ownVars: ReadonlyMap<string, string>,
  simulated: Readonly<Record<string, string>>,
): Promise<void> {
  const forThisRun: Record<string, string> = {
    PUBLIC_URL: appUrl,
    // A day is too long to wait in development (spec P-215).
    BACKUP_NOW_WINDOW_MINUTES: "10",
    SESSION_TIMEOFF: "on",
    ...simulated,
  };
  for (const name of ownVars.keys()) delete forThisRun[name];
  const runVars = join(directory, "run.vars");
  writePrivately(runVars, formatVars(forThisRun));
  const args = [
    "dev",
    "--port",
    String(port),
    "--persist-to",
    stateDir,
    "--show-interactive-dev-session=false",
  ];
  const files = ["--env-file", join(ROOT, ".dev.vars"), "--env-file", runVars];
  const service = startService("wrangler", [...args, ...files], {
    logFile: join(directory, "logs/worker.log"),
    env: localWranglerEnv(stateDir),
  });
  services.push(service);
  const ended = service.ended.then(() => "ended" as const);
  const outcome = await Promise.race([ended, untilHealthy(START_PATIENCE_MS)]);
  // If the Worker cannot be bundled, wrangler keeps running and waits for a source change.
  if (outcome === "ended") throw new Error(`The Worker ended before it was ready:\n${service.lastWords()}`);
  if (outcome === "late") throw new Error(`The Worker does not answer:\n${service.lastWords()}`);
  guard(service, "The Worker");
  for (const output of [service.stdout, service.stderr]) {
    output.on("data", (chunk: Buffer) => {
      if (chunk.includes("runtime crashed")) void outliveCrash();
    });
  }
}

/** wrangler restarts a crashed runtime, but its listening server does not always come back. In that case, stop. */
async function outliveCrash(): Promise<void> {
  const outcome = await untilHealthy(CRASH_PATIENCE_MS).catch(() => "stopping" as const);
  if (outcome !== "late" || isStopping) return;
  console.error("\nThe Worker's runtime crashed and did not come back. The data is kept: npm start");
  await stop(1);
}

async function untilHealthy(patienceMs: number): Promise<"healthy" | "late"> {
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline) {
    const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(patienceMs / 4)]);
    const answer = await fetch(appUrl, { redirect: "manual", signal }).catch(() => null);
    await answer?.arrayBuffer();
    if (answer && answer.status < 500) return "healthy";
    abort.signal.throwIfAborted();
    await pause(300);
  }
  return "late";
}

/** Crons do not fire by themselves outside production. */
function startCrons(): void {
  const tick = async (cron: string) => {
    const url = `${appUrl}/cdn-cgi/handler/scheduled?cron=${encodeURIComponent(cron)}`;
    await fetch(url, { signal: abort.signal }).then(
      (answer) => answer.arrayBuffer(),
      () => null,
    );
  };
  setInterval(() => void tick("* * * * *"), 60_000).unref();
  setInterval(() => void tick("17 * * * *"), 3_600_000).unref();
}

/** Makes every protected item due now, so that the schedule takes its next version. */
async function makeEverythingDue(): Promise<void> {
  const now = Date.now();
  for (const binding of LEDGERS) {
    await executeLocally(appUrl, binding, `UPDATE schedule SET due_at = ${now} WHERE due_at > ${now}`);
  }
  const cron = encodeURIComponent("* * * * *");
  await fetch(`${appUrl}/cdn-cgi/handler/scheduled?cron=${cron}`, { signal: abort.signal });
}

/** Spreads the demo's versions over weeks. */
async function spreadPast(): Promise<void> {
  for (const binding of LEDGERS) await executeLocally(appUrl, binding, ...pastStatements());
}

/** When one service exits, stop the others too: a partly running product is worse than none. */
function guard(service: Service, what: string): void {
  void service.ended.then((code) => {
    if (isStopping) return;
    console.error(`\n${what} ended with code ${code}:\n${service.lastWords()}`);
    void stop(1);
  });
}

async function stop(code: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  abort.abort();
  // Stop the Worker first: its last requests still need the simulators.
  for (const service of [...services].reverse()) await service.stop();
  process.exit(code);
}

function say(text: string): void {
  if (!isStopping) console.log(text);
}

function pause(ms: number): Promise<void> {
  return new Promise((settle) => setTimeout(settle, ms));
}
