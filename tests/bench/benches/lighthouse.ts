import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findChromium } from "#workers/commands/find-chromium.ts";
import { runTool } from "#workers/commands/tools.ts";
import { buildBare, serveBare } from "../bare-page.ts";
import { type Bench, check, type Finding, finding, type Ground, protect, withRuntime } from "../bench.ts";
import { bundleProduct } from "../bundle-product.ts";
import { startEdge } from "../edge.ts";
import { PUBLIC_URL } from "../runtime.ts";
import { median, type Pair, ratioOf } from "../statistics.ts";

/** The last one that runs with every Node that we support. Only this bench needs it, so it is fetched when it runs. */
const LIGHTHOUSE = "lighthouse@12.8.2";
const ITEMS = 500;
const LIST = "/platform/dashboard/github";
const PAGES = ["/auth/login", "/welcome", LIST, "/runs", "/audit", "/settings"];
const CATEGORIES = { performance: 95, accessibility: 100, "best-practices": 100 } as const;
/** Work of more than 50 ms keeps a finger waiting. Twice as much as the framework alone. */
const MOST_LONG_TASKS = 2;

const CHROME_FLAGS = "--headless --no-sandbox --disable-dev-shm-usage --ignore-certificate-errors";

type Scores = Record<keyof typeof CATEGORIES, number>;
type Visit = { scores: Scores; longTasksMs: number; faults: string };

/**
 * P16: Lighthouse's scores of the pages as a phone on a slow line has them (its mobile profile: 4 times slower CPU), and
 * the long tasks of a long list against a bare page of the same framework.
 */
export const lighthouse: Bench = {
  id: "P16",
  run: async (ground) => {
    await buildBare(ground.folder);
    return withRuntime(await bundleProduct(ground, "page-worker.ts"), async (runtime, world) => {
      const identity = await makeIdentity(ground.folder);
      const product = await startEdge(
        identity,
        ({ url, headers }) => {
          const { pathname, search } = new URL(url);
          return fetch(runtime.url + pathname + search, { headers, redirect: "manual" });
        },
        { url: runtime.url, publicUrl: PUBLIC_URL },
      );
      const bare = await startEdge(identity, await serveBare(ground.folder));
      try {
        for (let i = 0; i < ITEMS; i++) await protect(ground, runtime, world, `list-${i}`);
        const { cookie } = await runtime.call<{ cookie: string }>("/session", { world });
        return await visitAll(ground, { product: product.url, bare: bare.url, cookie });
      } finally {
        await Promise.all([product.close(), bare.close()]);
      }
    });
  },
};

/** A key and a certificate that last a day. */
async function makeIdentity(folder: string): Promise<{ key: string; cert: string }> {
  const [key, cert] = [join(folder, "edge.key"), join(folder, "edge.crt")];
  const { code, output } = await runTool("openssl", [
    ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=127.0.0.1"],
    ...["-keyout", key, "-out", cert],
  ]);
  check(code === 0, `openssl made a certificate: ${output.slice(-300)}`);
  return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
}

async function visitAll(
  { folder, sizes, say }: Ground,
  at: { product: string; bare: string; cookie: string },
): Promise<Finding[]> {
  const visits = new Map(PAGES.map((path) => [path, [] as Visit[]]));
  const longTasks: Pair[] = [];
  for (let round = 0; round < sizes.rounds; round++) {
    for (const [path, of] of visits) of.push(await visit(at.product + path, at.cookie, folder));
    const { longTasksMs: theirs } = await visit(`${at.bare}/`, "", folder);
    longTasks.push({ ours: visits.get(LIST)!.at(-1)!.longTasksMs, theirs });
  }
  for (const [path, of] of visits)
    say(
      `${path}: ${of.map(({ scores, faults }) => `${Object.values(scores).join("/")} (${faults})`).join(", ")}`,
    );
  return [...scoreFindings(visits), longTaskFinding(longTasks)];
}

async function visit(url: string, cookie: string, folder: string): Promise<Visit> {
  const chromium = findChromium();
  check(chromium !== null, "there is a Chromium");
  const isPublic = /^\/(?:auth|welcome)\b/.test(new URL(url).pathname);
  const headers = join(folder, "headers.json");
  writeFileSync(headers, JSON.stringify(isPublic ? {} : { Cookie: cookie }));
  const { code, output } = await runTool(
    "npm",
    [
      ...["exec", "--yes", "--loglevel=error", "--package", LIGHTHOUSE, "--", "lighthouse", url, "--quiet"],
      ...[`--only-categories=${Object.keys(CATEGORIES).join(",")}`, "--output=json", "--output-path=stdout"],
      ...[`--extra-headers=${headers}`, `--chrome-flags=${CHROME_FLAGS}`],
    ],
    { env: { CHROME_PATH: chromium! } },
  );
  const error = /^Runtime error encountered: .*/m.exec(output)?.[0] ?? output.slice(-500);
  check(code === 0, `Lighthouse opened ${url}: ${error}`);
  const report = JSON.parse(output.slice(output.indexOf("{"))) as Report;
  check(report.finalDisplayedUrl === url, `${url} is shown, not ${report.finalDisplayedUrl}`);
  const scores = Object.fromEntries(
    Object.entries(report.categories).map(([id, { score }]) => [id, Math.round(score * 100)]),
  ) as Scores;
  const faults = Object.values(report.categories)
    .flatMap(({ auditRefs }) => auditRefs)
    .filter(({ id, weight }) => weight > 0 && (report.audits[id]?.score ?? 1) < 0.9)
    .map(({ id }) => `${id} ${report.audits[id]?.displayValue ?? report.audits[id]?.score}`)
    .join(", ");
  const tasks = report.audits["long-tasks"]?.details?.items ?? [];
  return { scores, faults, longTasksMs: tasks.reduce((sum, { duration }) => sum + duration, 0) };
}

type Report = {
  finalDisplayedUrl: string;
  categories: Record<string, { score: number; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<
    string,
    { score: number | null; displayValue?: string; details?: { items: { duration: number }[] } }
  >;
};

function scoreFindings(visits: ReadonlyMap<string, Visit[]>): Finding[] {
  return Object.entries(CATEGORIES).map(([category, atLeast]) => {
    const each = [...visits].map(([path, of]) => {
      const scores = of.map(({ scores }) => scores[category as keyof Scores]);
      return { path, median: median(scores), least: Math.min(...scores), most: Math.max(...scores) };
    });
    const worst = each.toSorted((a, b) => a.median - b.median)[0]!;
    const note = each.map(({ path, median }) => `${path} ${median}`).join(", ");
    return finding({ id: "P16", what: `Lighthouse, mobile: ${category}, the worst page`, note }, worst, {
      atLeast,
    });
  });
}

function longTaskFinding(pairs: Pair[]): Finding {
  const figures = pairs.map(({ ours, theirs }) => `${ours.toFixed(0)} ms against ${theirs.toFixed(0)} ms`);
  return finding(
    {
      id: "P16",
      what: `long tasks of a list of ${ITEMS} items / a bare page of the same framework`,
      note: `4 times slower CPU: ${figures.join(", ")}`,
    },
    ratioOf(pairs),
    { atMost: MOST_LONG_TASKS },
  );
}
