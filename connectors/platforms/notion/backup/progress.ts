import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import { MINUTE_MS, SECOND_MS } from "#core/kernel/clock.ts";
import { REQUESTS_PER_SECOND } from "../client.ts";
import type { Work } from "./workspace-run.ts";

/** Requests that a page of a first backup needs on average: its blocks, those nested in others, and its comments. */
const REQUESTS_PER_PAGE = 3;
/** Pages after which the requests for each of them are known better. */
const ENOUGH = 50;

/** How far the work is. Its phase names the time that is left at Notion's pace, if it is long. */
export function progressOf(work: Work): BackupEvent {
  const done = work.done();
  const total = Math.max(done + work.waiting(), work.expected());
  const each = done < ENOUGH ? REQUESTS_PER_PAGE : work.calls() / done;
  const minutes = Math.ceil(((total - done) * each * SECOND_MS) / REQUESTS_PER_SECOND / MINUTE_MS);
  const left = minutes < 2 ? "" : `, about ${timeOf(minutes)} at Notion's pace`;
  const phase = `Reading pages${left}`;
  return { type: "progress", progress: { phase, done, total, unit: "items" } };
}

function timeOf(minutes: number): string {
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}
