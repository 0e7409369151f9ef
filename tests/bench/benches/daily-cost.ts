import { rmSync } from "node:fs";
import { join } from "node:path";
import { openGithubWorld } from "#connectors/platforms/github/test-world.ts";
import { openTrelloWorld } from "#connectors/platforms/trello/test-world.ts";
import { isWholeDay } from "#connectors/toolkit/records/backup-state.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { formatVars } from "#workers/commands/dev-vars.ts";
import { type Bench, check, type Finding, finding, type Ground } from "../bench.ts";
import { type DailyUse, dollarsAMonth } from "../list-prices.ts";
import { benchVars, startRuntime } from "../runtime.ts";
import { type Account, openWorld } from "../world.ts";

const LIMITS = { rateLimit: 1e9, graphqlLimit: 1e9, tokenLifetimeMs: 1e12 };
/** Days before those that are measured, so that an item has versions of which it keeps several. */
const DAYS_BEFORE = 3;

/** An item at a platform, and what happens to it on a day with a change. */
type Source = {
  what: string;
  vars: string;
  account: Account | null;
  item: { kind: string; externalId: string; name: string };
  change: { what: string; make: (day: number) => Promise<unknown> };
};

/** The most rows of the ledger and of the control database that a day may read and write. */
type Most = { rowsRead: number; rowsWritten: number };

/**
 * P18: what one item costs on one day: falling due, its backup, and its check if it has one, with every row, call and
 * message. The nightly sweeps are shared by all items and not in it.
 */
export const dailyCost: Bench = {
  id: "P18",
  run: async (ground) => [...(await repository(ground)), ...(await board(ground))],
};

async function repository(ground: Ground): Promise<Finding[]> {
  const github = await openGithubWorld(LIMITS);
  try {
    const { externalId, fullName } = await atRest(async (name) =>
      github.reference(await github.makeRepository(name)),
    );
    // The token that the bench's connection holds.
    github.simulator.world.state.tokens.at(-1)!.value = "bench";
    const commit = async (day: number) => {
      const url = `${github.simulator.url}/__sim/github/repos/${fullName}/files`;
      const files = [{ path: `notes/${day}.txt`, base64: btoa(`what happened on day ${day}\n`) }];
      const answer = await fetch(url, { method: "POST", body: JSON.stringify({ files }) });
      check(answer.ok, "a commit at the platform");
    };
    const source: Source = {
      what: "a repository",
      vars: benchVars(github.simulator.url),
      account: null,
      item: { kind: "repository", externalId, name: "daily" },
      change: { what: "one commit", make: commit },
    };
    return await measure(ground, source);
  } finally {
    await github.stop();
  }
}

async function board(ground: Ground): Promise<Finding[]> {
  const trello = await openTrelloWorld({ tokenLifetimeMs: 1e12 });
  try {
    const made = await atRest(trello.makeBoard);
    await trello.issueToken();
    // The token that the bench's connection holds.
    trello.simulator.world.state.tokens.at(-1)!.value = "bench";
    const cardId = trello.simulator.world.state.boards.find(({ id }) => id === made.externalId)!.cards[0]!.id;
    const source: Source = {
      what: "a board",
      vars: benchVars(ground.host.url) + formatVars(trello.config),
      account: { platform: "trello", externalId: trello.memberId, details: {} },
      item: { kind: "board", externalId: made.externalId, name: "Daily" },
      change: {
        what: "one edited card",
        make: (day) => trello.happen(`/cards/${cardId}/edit`, { name: `Day ${day}` }),
      },
    };
    return await measure(ground, source);
  } finally {
    await trello.stop();
  }
}

/** Makes an item that is not read again today only because a week has passed. */
async function atRest<T extends { externalId: string }>(make: (name: string) => Promise<T>): Promise<T> {
  for (let number = 1; ; number++) {
    const item = await make(`daily-${number}`);
    if (![0, DAY_MS / 2].some((later) => isWholeDay(item.externalId, Date.now() + later))) return item;
  }
}

/**
 * Half of what was read and written before budgets were leased, verdicts stood and the objects of versions were spans: 137
 * and 40 without a change, 1,286 and 248 with one edited card.
 */
const MOST = {
  atRest: { rowsRead: 68, rowsWritten: 20 },
  changed: { rowsRead: 643, rowsWritten: 124 },
} as const satisfies Record<string, Most>;

async function measure(ground: Ground, source: Source): Promise<Finding[]> {
  const data = join(ground.folder, source.what.replace(/\W+/g, "-"));
  const runtime = await startRuntime({ bundled: ground.bundled, data }, source.vars);
  try {
    const world = await openWorld(runtime, source.account);
    const { itemId } = await runtime.call<{ itemId: string }>("/item", { world, ...source.item });
    const day = () =>
      runtime.call<{ use: DailyUse; versions: number; checks: number }>("/day", { world, itemId });
    for (let at = 0; at < DAYS_BEFORE; at++) await day();
    const quiet = await day();
    check(quiet.versions === DAYS_BEFORE + 1, "each day has a version");
    check(quiet.checks === 1, "the check of an unchanged version stands");
    await source.change.make(1);
    const changed = await day();
    check(changed.checks === 2, "a changed version is checked");
    const of = `${source.what} with ${source.change.what}`;
    return [
      ...lines(`${source.what} without a change`, quiet.use, MOST.atRest),
      ...lines(of, changed.use, MOST.changed),
    ];
  } finally {
    await runtime.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

function lines(what: string, use: DailyUse, most: Most): Finding[] {
  const note =
    `${use.rowsRead} rows read, ${use.rowsWritten} written; bucket: ${use.bucketReads} reads, ` +
    `${use.bucketWrites} writes; ${use.objectCalls} calls of objects, ${use.queueOperations} operations of queues: ` +
    `$${dollarsAMonth(use).toFixed(5)} a month at Cloudflare's list prices`;
  const line = (unit: keyof Most, text: string) =>
    finding(
      { id: "P18", what: `${text} on a day of ${what}`, note },
      { median: use[unit], least: use[unit], most: use[unit] },
      { atMost: most[unit] },
    );
  return [line("rowsRead", "rows read"), line("rowsWritten", "rows written")];
}
