/**
 * `npm start`: the whole product on this machine. Screens, Worker, databases, vault, queues and objects run in
 * workerd; the outside world (GitHub, GitLab, Trello, mail) is simulated unless `.dev.vars` names a real one. The first start seeds
 * a demo account by using the product as a person would; later starts keep everything.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { completeDevVars, formatVars, freshDevVars, readDevVars } from "./dev-vars.ts";
import { executeLocally, migrateLocalDatabases } from "./local-databases.ts";
import { takenPorts } from "./ports.ts";
import { buildScreens, isBuildStale } from "./screens-build.ts";
import { DEMO_PERSON, seedDemo } from "./seed-demo.ts";
import { ROOT, type Service, startService } from "./tools.ts";

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
/** The first start on a slow machine takes half of it. */
const START_PATIENCE_MS = 180_000;
const services: Service[] = [];
const abort = new AbortController();
let isStopping = false;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop(0));

try {
  await start();
} catch (cause) {
  if (!isStopping) {
    console.error(`\n${cause instanceof Error ? cause.message : String(cause)}`);
    await stop(1);
  }
}

async function start(): Promise<void> {
  if (!Number.isInteger(port) || port < 1 || port > 65_526) throw new Error(`${values.port} is no port.`);
  const taken = await takenPorts([
    { port, what: "Holdfast" },
    { port: port + 1, what: "simulated GitHub" },
    { port: port + 2, what: "simulated mail" },
    { port: port + 3, what: "simulated identity providers" },
    { port: port + 4, what: "simulated GitLab" },
    { port: port + 5, what: "simulated Trello" },
    { port: port + 6, what: "files of the simulated Trello" },
    { port: port + 7, what: "simulated S3" },
    { port: port + 8, what: "simulated Dropbox" },
    { port: port + 9, what: "simulated Google Drive" },
  ]);
  if (taken.length > 0) {
    throw new Error(`${taken.join("\n")}\nStop what uses it, or choose another: npm start -- --port 9000`);
  }
  if (values.reset) rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
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
  await startWorker(ownVars, outside);
  startCrons();
  if (values.watch) rebuildOnChange();
  // The demo person gives consent at the simulated GitHub and finds their link in the simulated inbox.
  const isSimulated = !ownVars.has("GITHUB_WEB_URL") && !ownVars.has("MAIL_URL");
  if (isSimulated && !values["no-seed"] && !existsSync(seededMark)) {
    say("Seeding the demo account: signing up, connecting, backing up, restoring. This takes a minute");
    const summary = await seedDemo({
      appUrl,
      githubUrl: outside.githubWebUrl,
      gitlabUrl: ownVars.has("GITLAB_URL") ? null : outside.gitlabUrl,
      trelloUrl: simulatedOnly(ownVars, outside.trelloVars).TRELLO_URL ?? null,
      mailUrl: outside.mailUrl,
      say: (text) => say(`  ${text}`),
      signal: abort.signal,
      makeEverythingDue,
    });
    writeFileSync(seededMark, `${JSON.stringify(summary)}\n`);
  }
  greet(outside, existsSync(seededMark));
}

/** Completes `.dev.vars`, and answers what the person has written there. */
function writeDevVars(): Map<string, string> {
  const file = join(ROOT, ".dev.vars");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const completed = completeDevVars(text, freshDevVars());
  if (completed !== text) {
    writeFileSync(file, completed, { mode: 0o600 });
    say(`Wrote fresh random keys to ${relative(ROOT, file)}`);
  }
  return readDevVars(completed);
}

type OutsideWorld = {
  githubWebUrl: string;
  githubApiUrl: string;
  mailUrl: string;
  githubClientId: string;
  githubClientSecret: string;
  gitlabUrl: string;
  gitlabClientId: string;
  gitlabClientSecret: string;
  /** The settings of the simulated Trello, by the names of the environment. */
  trelloVars: Record<string, string>;
  /** The settings of the simulated identity providers, by the names of the environment. */
  signInVars: Record<string, string>;
  /** The settings of the simulated storages, by the storage and by the names of the environment. */
  storageVars: Record<string, Record<string, string>>;
};

async function startOutsideWorld(): Promise<OutsideWorld> {
  const dir = join(directory, "simulators");
  const args = ["--import", "tsx", "tests/simulators/serve.ts", "--dir", dir, "--port", String(port + 1)];
  const service = startService("node", args, { logFile: join(directory, "logs/simulators.log") });
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

/** Addresses for this run. What stands in `.dev.vars` wins, so a real account is connected by filling it in. */
async function startWorker(ownVars: Map<string, string>, outside: OutsideWorld): Promise<void> {
  const forThisRun: Record<string, string> = {
    PUBLIC_URL: appUrl,
    MAIL_URL: outside.mailUrl,
    // A day is too long to wait at the desk (spec P-215).
    BACKUP_NOW_WINDOW_MINUTES: "10",
    GITHUB_WEB_URL: outside.githubWebUrl,
    GITHUB_API_URL: outside.githubApiUrl,
    GITHUB_CLIENT_ID: outside.githubClientId,
    GITHUB_CLIENT_SECRET: outside.githubClientSecret,
    GITHUB_APP_SLUG: "holdfast-simulated",
    GITLAB_URL: outside.gitlabUrl,
    GITLAB_CLIENT_ID: outside.gitlabClientId,
    GITLAB_CLIENT_SECRET: outside.gitlabClientSecret,
    ...simulatedOnly(ownVars, { ...outside.trelloVars, ...outside.signInVars }),
    ...simulatedStorages(ownVars, outside.storageVars),
  };
  for (const name of ownVars.keys()) delete forThisRun[name];
  const runVars = join(directory, "run.vars");
  writeFileSync(runVars, formatVars(forThisRun), { mode: 0o600 });
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
    env: { CI: "1" },
  });
  services.push(service);
  const ended = service.ended.then(() => "ended" as const);
  const outcome = await Promise.race([ended, untilHealthy()]);
  // A Worker that cannot be bundled does not end: wrangler waits for a better source, and would wait for ever.
  if (outcome === "ended") throw new Error(`The Worker ended before it was ready:\n${service.lastWords()}`);
  if (outcome === "late") throw new Error(`The Worker does not answer:\n${service.lastWords()}`);
  guard(service, "The Worker");
}

/** A storage of which `.dev.vars` names anything is the real one, whole, as it is with other services. */
function simulatedStorages(
  ownVars: Map<string, string>,
  storageVars: OutsideWorld["storageVars"],
): Record<string, string> {
  const simulated = Object.values(storageVars).filter(
    (vars) => !Object.keys(vars).some((name) => ownVars.has(name)),
  );
  return Object.assign({}, ...simulated) as Record<string, string>;
}

/** A service of which `.dev.vars` names anything is the real one, whole: half of each would be neither. */
function simulatedOnly(ownVars: Map<string, string>, vars: Record<string, string>): Record<string, string> {
  const serviceOf = (name: string) => name.split("_")[0];
  const own = new Set(
    Object.keys(vars)
      .filter((name) => ownVars.has(name))
      .map(serviceOf),
  );
  return Object.fromEntries(Object.entries(vars).filter(([name]) => !own.has(serviceOf(name))));
}

async function untilHealthy(): Promise<"healthy" | "late"> {
  const deadline = Date.now() + START_PATIENCE_MS;
  while (Date.now() < deadline) {
    const answer = await fetch(appUrl, { redirect: "manual", signal: abort.signal }).catch(() => null);
    await answer?.arrayBuffer();
    if (answer && answer.status < 500) return "healthy";
    abort.signal.throwIfAborted();
    await pause(300);
  }
  return "late";
}

/** Cron lines do not fire by themselves outside production. */
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

/** Turns every protected item's clock on, so that the schedule takes its next version now. */
async function makeEverythingDue(): Promise<void> {
  const now = Date.now();
  for (const binding of ["LEDGER_US", "LEDGER_DE", "LEDGER_UK", "LEDGER_AP"] as const) {
    await executeLocally(appUrl, binding, `UPDATE schedule SET due_at = ${now} WHERE due_at > ${now}`);
  }
  const cron = encodeURIComponent("* * * * *");
  await fetch(`${appUrl}/cdn-cgi/handler/scheduled?cron=${cron}`, { signal: abort.signal });
}

/** wrangler rebuilds the Worker by itself; the screens are built here. */
function rebuildOnChange(): void {
  let timer: NodeJS.Timeout | undefined;
  let building = Promise.resolve();
  const rebuild = async () => {
    say("Building the screens");
    await buildScreens().then(
      () => say("Built"),
      (cause: Error) => console.error(cause.message),
    );
  };
  for (const folder of ["app", "core", "connectors"]) {
    watch(join(ROOT, folder), { recursive: true, signal: abort.signal }, () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        building = building.then(rebuild);
      }, 200);
    });
  }
}

function greet(outside: OutsideWorld, isSeeded: boolean): void {
  const lines = [
    "",
    `Holdfast is running:   ${appUrl}`,
    ...(isSeeded ? [`Sign in as:            ${DEMO_PERSON.email}   password: ${DEMO_PERSON.password}`] : []),
    `Mail inbox:            ${outside.mailUrl}`,
    `Simulated GitHub:      ${outside.githubWebUrl}`,
    `Simulated GitLab:      ${outside.gitlabUrl}`,
    `Simulated Trello:      ${outside.trelloVars.TRELLO_URL}`,
    `Simulated storages:    ${outside.storageVars.dropbox?.DROPBOX_URL} (Dropbox)  ${outside.storageVars.googleDrive?.GOOGLE_DRIVE_WEB_URL} (Google Drive)`,
    `Logs:                  ${relative(ROOT, join(directory, "logs"))}/`,
    "",
    "Try: open a repository's versions, download one as a ZIP and `git clone` what is in it;",
    "     press Backup now and watch the bar; restore a version into a new repository and find it at the simulated GitHub.",
    "Ctrl-C stops everything and keeps the data; `npm start -- --reset` begins anew.",
  ];
  console.log(lines.join("\n"));
}

/** A service that ends by itself takes the others with it: half a product is worse than none. */
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
  // The Worker first: its last requests still find the outside world.
  for (const service of [...services].reverse()) await service.stop();
  process.exit(code);
}

function say(text: string): void {
  if (!isStopping) console.log(text);
}

function pause(ms: number): Promise<void> {
  return new Promise((settle) => setTimeout(settle, ms));
}
