import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { BackupStage } from "#connectors/toolkit/records/run-stages.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { recordPaths } from "../record-paths.ts";
import { mayHaveComments } from "./back-up-page.ts";
import { type Home, homesIn, shareOfHomes } from "./homes.ts";
import { idOfHome, readOldPage } from "./old-page.ts";
import { backUpComments } from "./page-comments.ts";
import { COMMENT_DAYS, elapsedDays, shareOf } from "./shares.ts";
import { noteTurns } from "./turns.ts";
import { isCopy } from "./walk-blocks.ts";
import type { Work } from "./workspace-run.ts";

const cursorSchema = z.strictObject({
  /** The last page whose blocks were asked for comments. */
  home: z.string(),
  left: z.number(),
  /** Blocks of the next page that were asked. */
  blocks: z.number(),
});

const parentSchema = z.looseObject({ block_id: z.string().optional() });
const blocksRecord = z.object({
  blocks: z.array(z.looseObject({ id: z.string(), type: z.string(), parent: parentSchema })),
});

/**
 * Comments on blocks cost a request for each block, so a share of the pages has its turn. The shares advance by the days
 * since the last backup.
 */
export function lookAtCommentsStage(open: (run: Work["run"]) => Work): BackupStage {
  return {
    id: "block-comments",
    async *run(run, cursor) {
      const work = open(run);
      const { marks } = run.next;
      const today = Number(run.notes.today);
      const days = elapsedDays(run.known?.marks.day, today);
      const total = homesIn(work.previous === null ? run.next.counts : work.previous.counts());
      const due = shareOf(total, { days, cycleDays: COMMENT_DAYS });
      if (work.previous !== null && days > 0) {
        const at = readCursor(cursorSchema, cursor) ?? { home: marks.comments ?? "", left: due, blocks: 0 };
        const toDo = at.left;
        for await (const each of shareOfHomes(work.previous, { after: at.home, count: at.left })) {
          for await (const event of lookAtBlocks(work, each, at.blocks))
            yield event.type === "checkpoint" ? work.point({ ...at, blocks: event.cursor }) : event;
          Object.assign(at, { home: each.home, left: at.left - 1, blocks: 0 });
          const progress = {
            phase: "Reading comments",
            done: toDo - at.left,
            total: toDo,
            unit: "items",
          } as const;
          yield { type: "progress", progress };
          if (work.isDue()) yield work.point(at);
        }
        marks.comments = at.home;
      }
      // A small workspace has all comments with its first backup.
      const isAll = work.previous === null && work.commentCalls > 0;
      if (work.previous === null || days > 0)
        noteTurns(marks, "comments", { day: today, count: isAll ? total : due, total });
      work.save();
    },
  };
}

/** The comments on the blocks that stand on a page. Its checkpoints are numbers of blocks. */
async function* lookAtBlocks(work: Work, { home }: Home, from: number): AsyncGenerator<BackupEvent, void> {
  const id = idOfHome(home);
  if (work.dropped.has(id) || !work.hasComments) return;
  const old = await readOldPage(work.previous, home, recordPaths.commentsOf(home));
  const isCopied = new Map<string, boolean>();
  let index = 0;
  for await (const { path } of work.previous!.list(recordPaths.blocksOf(home))) {
    const { blocks } = blocksRecord.parse(await work.previous!.readRecord(path));
    for (const block of blocks) {
      index += 1;
      // A block that a copy shows has the id of the one at the original; each follows its own parent.
      const isElsewhere = isCopied.get(block.parent.block_id ?? "") ?? false;
      isCopied.set(block.id, isElsewhere || isCopy(block));
      if (index <= from || isElsewhere || !mayHaveComments(block) || work.removed.has(block.id)) continue;
      yield* backUpComments(work, { pageId: id, home, blockId: block.id }, old);
      if (work.isDue()) yield { type: "checkpoint", cursor: index satisfies Json };
    }
  }
}
