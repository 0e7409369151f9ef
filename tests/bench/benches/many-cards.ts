import { rmSync } from "node:fs";
import { join } from "node:path";
import { trelloVars } from "#connectors/platforms/trello/simulator/index.ts";
import { openTrelloWorld } from "#connectors/platforms/trello/test-world.ts";
import { formatVars } from "#workers/commands/dev-vars.ts";
import { type Bench, check, doRun, type Ground, inWholeParts, size } from "../bench.ts";
import { ownProcesses } from "../own-process.ts";
import { growth, type Peaks } from "../peaks.ts";
import { benchVars } from "../runtime.ts";
import { openWorld, type World } from "../world.ts";
import { drain } from "./zip.ts";

type Job = "backup" | "ZIP" | "view" | "comparison" | "bare put" | "bare read";

/** The bucket's own calls that write or read as much as a job. */
const BARE = { backup: "bare put", ZIP: "bare read", view: "bare read", comparison: "bare read" } as const;
const JOBS = ["backup", "ZIP", "view", "comparison"] as const;

/**
 * P7: the peak memory for a board of few and of many cards, each with a comment. A first backup, its ZIP, the page that
 * shows the board, and the comparison with a later version each run in a process of their own. The longer a job takes,
 * the more samples it has and the higher the highest of them is, so both sizes have as much to do: the backup of the few
 * cards is that of as many boards as make up the many, one after another, and the shorter jobs are repeated.
 */
export const manyCards: Bench = {
  id: "P7",
  run: async (ground) => {
    const [fewer, more] = ground.sizes.cards;
    const few = await peaksOf(ground, fewer, Math.round(more / fewer));
    const many = await peaksOf(ground, more, 1);
    return JOBS.flatMap((job) => {
      const [small, large] = [few, many].map((peaks) => ({ peaks: peaks[job], bare: peaks[BARE[job]] }));
      const what = `${more} / ${fewer} cards of a board`;
      return growth({ id: "P7", in: `a ${job}`, what, atMost: 1.5 }, { few: small!, many: large! });
    });
  },
};

/** @param count how many boards of that size are backed up. The other jobs are about the first. */
async function peaksOf(ground: Ground, cards: number, count: number): Promise<Record<Job, Peaks>> {
  const trello = await openTrelloWorld({ openCardLimit: 1_000_000 });
  const data = join(ground.folder, `cards-${cards}`);
  try {
    const boards: string[] = [];
    for (let at = 0; at < count; at++) {
      const { externalId } = await trello.makeBoard(`Large ${at}`, { content: "empty" });
      await trello.happen(`/boards/${externalId}/generate`, { lists: 10, cards, comments: cards });
      boards.push(externalId);
    }
    await trello.issueToken();
    // The token that the bench's connection holds.
    trello.simulator.world.state.tokens.at(-1)!.value = "bench";
    const vars = benchVars(ground.host.url) + formatVars(trelloVars(trello.simulator));
    const alone = ownProcesses(ground, { data, vars });
    const account = {
      platform: "trello",
      externalId: trello.memberId,
      details: { memberId: trello.memberId },
    };
    let world: World | null = null;
    const [backup, { itemId, snapshotId, bytesStored }] = await alone(async (runtime) => {
      world = await openWorld(runtime, account);
      const made = [];
      for (const externalId of boards) {
        const order = { world, kind: "board", externalId, name: "Large" };
        const { itemId } = await runtime.call<{ itemId: string }>("/item", order);
        made.push({ itemId, ...(await doRun(runtime, { world, kind: "backup", itemId })) });
      }
      return made[0]!;
    });
    const version = { world, itemId, snapshotId };
    const all = trello.simulator.world.state.boards.find(({ id }) => id === boards[0])!.cards;
    for (const at of [0, Math.floor(cards / 2), cards - 1])
      await trello.happen(`/cards/${all[at]!.id}/edit`, { desc: `Changed ${at}` });
    const [, later] = await alone(async (runtime) => {
      const counts = await runtime.call<Record<string, number>>("/counts", version);
      check(counts.card === cards && counts.comment === cards, "every card and comment is in the version");
      return await doRun(runtime, { world: world!, kind: "backup", itemId });
    });
    const [ZIP] = await alone(async (runtime) => {
      const { path } = await runtime.call<{ path: string }>("/zip", version);
      await forSamples(async () => {
        check((await drain(runtime.url + path)) > cards * 100, "the length of the ZIP");
      });
    });
    const [view] = await alone((runtime) =>
      forSamples(async () => {
        const shown = await runtime.call<{ cards: number }>("/board", version);
        check(shown.cards === cards, "every card is counted by the board's page");
      }),
    );
    const [comparison] = await alone((runtime) =>
      forSamples(async () => {
        const order = { ...version, afterId: later.snapshotId };
        const { changed } = await runtime.call<{ changed: number }>("/compare", order);
        check(changed === 3, "the three changed cards");
      }),
    );
    const [put] = await alone((runtime) =>
      runtime.call("/store/bare", { world, bytes: inWholeParts(bytesStored) }),
    );
    const [read] = await alone((runtime) => runtime.call("/read/bare", version));
    const peaks = { backup, ZIP, view, comparison, "bare put": put, "bare read": read };
    ground.say(
      `${cards} cards: ${Object.entries(peaks)
        .map(([job, peak]) => `${job} ${size(peak.process)} (heap ${size(peak.heap)})`)
        .join(", ")}`,
    );
    return peaks;
  } finally {
    await trello.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

/** Long enough for a sample of the heap, also when the inspector loses a command. */
const SAMPLED_MS = 60_000;

/** Repeats something that may be over before the first sample. */
async function forSamples(work: () => Promise<void>): Promise<void> {
  const until = performance.now() + SAMPLED_MS;
  do await work();
  while (performance.now() < until);
}
