import { expect, test } from "vitest";
import { attachmentLinks } from "#connectors/platforms/github/backup/attachment-links.ts";
import { githubDialect } from "#connectors/platforms/github/restore/quote-github.ts";
import { gitlabDialect } from "#connectors/platforms/gitlab/restore/quote-gitlab.ts";
import { rewriteUploadLinks } from "#connectors/platforms/gitlab/upload-links.ts";
import { docOf, paragraph } from "#connectors/platforms/jira/restore/adf-nodes.ts";
import { keyPatterns, keysIn } from "#connectors/platforms/jira/restore/rewrite-keys.ts";
import { elementsOf, textOf } from "#connectors/storages/s3/refusal.ts";
import { quieten } from "#connectors/toolkit/records/quote.ts";
import { sampleOf } from "#tests/harness/sample.ts";
import { findExpressions, type HostileText, hostileTexts } from "./regular-expressions.ts";

/** Texts grow from this length until the work is measurable. An exponential expression shows up early. */
const SHORTEST = 16;
const STEP = 4;
/** Quadratic work at this length takes millions of steps, which is always measurable. */
const LONGEST = SHORTEST * STEP ** 5;
/** The shortest reliable measurement. An expression that takes less at `LONGEST` is not quadratic. */
const MEASURED_MS = 1;
/** Doubling the text may triple the work, because of memory and noise. Quadratic work would take four times as long. */
const MOST_GROWTH = 3;
const TRIES = 3;
/** How often quadratic growth is measured again before it counts. */
const MOST_DOUBTS = 12;
/** Texts per run. Later runs try the others. */
const MOST_QUOTED = 300;
const MOST_HOSTILE = 40;
const PATIENCE_MS = 120_000;

/** Expressions whose input no outsider controls, and why. */
const OUT_OF_REACH: Readonly<Record<string, string>> = {
  "connectors/platforms/gitlab/authorize.ts /\\/+$/": "an address in the deployment's own settings",
  'core/mail/binding-mailer.ts /^\\s*"?([^"<]*?)"?\\s*<([^<>]+)>\\s*$/':
    "the sender in the deployment's own settings",
  "connectors/platforms/gitlab/restore/restore-name.ts /^[_.-]+|[_.-]+$/g": "a name that requests bound",
  "connectors/platforms/gitlab/restore/restore-name.ts /(\\.git|\\.atom)+$/i": "a name that requests bound",
};

/**
 * The number of expressions that each file builds at run time. Those for quoting and attached files are tested below.
 * The others are built from our own rules for fields of bounded length, and from names of elements, cookies and ids.
 */
const PUT_TOGETHER: Readonly<Record<string, number>> = {
  "app/bulk/bulk-rules.ts": 1,
  "app/restore/restore-form.ts": 1,
  "app/routes/_app/queries.server.ts": 1,
  "app/storage/keys-form-rules.ts": 1,
  "connectors/platforms/github/backup/attachment-links.ts": 3,
  "connectors/platforms/github/restore/quote-github.ts": 1,
  "connectors/platforms/gitlab/restore/quote-gitlab.ts": 1,
  "connectors/platforms/gitlab/upload-links.ts": 1,
  "connectors/platforms/jira/restore/rewrite-keys.ts": 2,
  "connectors/storages/s3/refusal.ts": 1,
  "core/exports/zip/safe-names.ts": 1,
  "core/kernel/ids.ts": 1,
  "core/replicas/keys-schema.ts": 1,
  "core/restores/request-restores.ts": 1,
};

type Work = (text: string) => unknown;

const hostileOf = ({ lead, pump, end }: HostileText, length: number) =>
  lead + pump.repeat(Math.ceil(length / pump.length)) + end;

/** The least processor time of several runs, in ms. What others do on a busy machine does not count. */
function timeOf(work: Work, text: string, tries = TRIES): number {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < tries; attempt++) {
    const begun = process.cpuUsage();
    work(text);
    const { user, system } = process.cpuUsage(begun);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
}

/** How much the work grows when the text doubles. 1 when there is too little work to measure. */
function growthOf(work: Work, hostile: HostileText): number {
  for (let length = SHORTEST; length <= LONGEST; length *= STEP) {
    const text = hostileOf(hostile, length);
    if (timeOf(work, text, 1) < MEASURED_MS || timeOf(work, text) < MEASURED_MS) continue;
    const growth = timeOf(work, hostileOf(hostile, 2 * length)) / timeOf(work, text);
    if (growth <= MOST_GROWTH) return growth;
    // Garbage collection sometimes looks quadratic. Real quadratic growth shows in every measurement.
    const again = () => Math.cbrt(timeOf(work, hostileOf(hostile, 8 * length)) / timeOf(work, text));
    let least = growth;
    for (let attempt = 0; attempt < MOST_DOUBTS && least > MOST_GROWTH; attempt++)
      least = Math.min(least, again());
    return least;
  }
  return 1;
}

/** The hostile texts for which an expression is too slow. */
function slowTexts(work: Work, texts: readonly HostileText[]): string[] {
  const slow: string[] = [];
  for (const hostile of texts) {
    const growth = growthOf(work, hostile);
    if (growth > MOST_GROWTH) slow.push(`${JSON.stringify(hostile)} grows ${growth.toFixed(1)} times`);
    if (slow.length > 0) break;
  }
  return slow;
}

test("every regular expression of the product runs in acceptable time on long texts", {
  timeout: PATIENCE_MS,
}, () => {
  const found = findExpressions();
  expect(found.length).toBeGreaterThan(300);
  const slow: string[] = [];
  const known = new Set(found.map(({ where }) => where));
  expect(Object.keys(OUT_OF_REACH).filter((where) => !known.has(where))).toEqual([]);
  for (const { where, expression } of found) {
    if (expression === null || where in OUT_OF_REACH) continue;
    const [first] = slowTexts(
      (text) => text.replace(expression, ""),
      sampleOf(hostileTexts(expression), MOST_HOSTILE),
    );
    if (first !== undefined) slow.push(`${where}: ${first}`);
  }
  expect(slow).toEqual([]);
});

test("every expression built at run time is listed here and tested if it reads external input", () => {
  const counts: Record<string, number> = {};
  for (const { where, expression } of findExpressions()) {
    const [file = ""] = where.split(" ", 1);
    if (expression === null) counts[file] = (counts[file] ?? 0) + 1;
  }
  expect(counts).toEqual(PUT_TOGETHER);
});

const GITHUB = { GITHUB_WEB_URL: "https://github.com" };
const GITLAB = { GITLAB_WEB_URL: "https://gitlab.example" };
const JIRA = { projectKey: "OPS", siteUrl: "https://meridian.atlassian.net" };

test.each<[string, Work, RegExp[]]>([
  [
    "quoting GitHub's texts",
    (text) => quieten(text, githubDialect(GITHUB)),
    patternsOf(githubDialect(GITHUB)),
  ],
  [
    "quoting GitLab's texts",
    (text) => quieten(text, gitlabDialect(GITLAB)),
    patternsOf(gitlabDialect(GITLAB)),
  ],
  ["looking for Jira's keys", (text) => keysIn(docOf([paragraph(text)]), JIRA), keyPatterns(JIRA)],
  [
    "looking for attached files",
    (text) => attachmentLinks(GITHUB, text),
    [
      /https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/assets\/\d+[0-9a-f-]+/,
      /https:\/\/github\.com\/user-attachments\/files\//,
    ],
  ],
  [
    "looking for GitLab's attached files",
    (text) => rewriteUploadLinks(text, ["/-/project/1", "https://gitlab.example/a/b"], () => null),
    [/\/-\/project\/1\/uploads\/[0-9a-f]{32}\/[\w.+%-]*[\w+%-]/],
  ],
  ["reading a bucket's list", (text) => elementsOf(text, "Key"), [/<Key>[^<]*<\/Key>/]],
  ["reading a bucket's refusal", (text) => textOf(text, "Key"), [/<Key>[^<]*<\/Key>/]],
])("%s runs in linear time on any input", { timeout: PATIENCE_MS }, (_what, work, shapes) => {
  const code = /(```[\s\S]*?(?:```|$)|~~~|`[^`\n]*`)/;
  const texts = [...shapes, code].flatMap(hostileTexts);
  expect(slowTexts(work, sampleOf(texts, MOST_QUOTED))).toEqual([]);
});

function patternsOf({ quietPatterns }: ReturnType<typeof githubDialect>): RegExp[] {
  return quietPatterns.map(({ pattern }) => pattern);
}
