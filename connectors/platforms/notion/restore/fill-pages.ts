import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { openStage } from "#connectors/toolkit/records/restore-stage.ts";
import { fillPage } from "./fill-page.ts";
import type { FillState } from "./fill-state.ts";
import { requireTop } from "./make-skeleton.ts";
import { isRefusal } from "./notion-calls.ts";
import type { RestoreIo } from "./restore-io.ts";
import { nameOfPart } from "./restore-top.ts";
import type { ToDoList } from "./to-do.ts";
import { type Root, readPage, walkVersion } from "./walk-version.ts";

/** Blocks that were read back, and how many of them are there. */
type Position = { path: string[]; same: number; all: number };

/** Restores what is on the pages and rows, which all exist now, and reads it back. */
export async function* fillPages(
  io: RestoreIo,
  order: { topId: string | null; roots: readonly Root[]; outsideId: string | null; toDo: ToDoList },
): AsyncGenerator<RestoreEvent, void> {
  const { topId, roots, outsideId, toDo } = order;
  const stage = await openStage<Position>(io.journal, "content");
  let { same = 0, all = 0 } = stage.at ?? {};
  let done = 0;
  const nodes = stage.isDone ? [] : walkVersion(io.snapshot, roots, stage.at?.path ?? null);
  for await (const node of nodes) {
    const made = await io.ids.find(node.id);
    const isTwice = made !== null && made.under !== (node.parentId ?? "");
    if (made === null || isTwice || node.kind === "database") continue;
    let state: FillState;
    try {
      state = yield* fillPage(io, { node, made, isOutside: node.id === outsideId });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await requireTop(io, topId);
      const what = `Content of the ${node.kind} ${await nameOfPart(io, node)}`;
      stage.tell({
        type: "missing",
        what,
        reason: "Notion no longer takes it: someone may have deleted the new page.",
      });
      continue;
    }
    if (state.files > 0) stage.count("file", state.files);
    if (state.commented > 0) stage.count("comment", state.commented);
    if (state.found !== null) {
      all += state.top;
      same += Math.min(state.top, state.found);
    }
    if (state.copies.length > 0) await toDo.add("copies", { id: node.id, home: node.home });
    const { is_locked: isLocked } = await readPage(io.snapshot, node.home);
    if (isLocked === true) await toDo.add("locked", { type: "page", id: node.id });
    await io.losses.save();
    done += 1;
    yield { type: "progress", progress: { phase: "Restoring content", done, total: null, unit: "items" } };
    if (await stage.step({ path: [...node.path], same, all })) yield { type: "checkpoint" };
  }
  if (!stage.isDone) {
    await stage.step({ path: stage.at?.path ?? [], same, all });
    await stage.finish();
  }
  yield* stage.events();
  if (stage.at !== null && stage.at.all > 0) {
    yield { type: "compared", what: "blocks", same: stage.at.same, all: stage.at.all };
  }
}
