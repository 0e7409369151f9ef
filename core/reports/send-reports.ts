import type { JobMessage } from "#core/jobs/index.ts";
import type { Uses } from "#core/services.ts";
import { dayToReport, periodNameOn, reportOccasion } from "./period.ts";
import { listReaders, listWritten } from "./preferences.store.ts";

/** People per query. */
const PAGE_PEOPLE = 500;

/**
 * Queues a report for everyone whose report is due on their local day and not yet written. Missed ticks are made up for
 * later on the same local day; repeated ticks find the report in the outbox.
 *
 * @returns How many reports were queued. Some of them may turn out empty.
 */
export async function sendReports(s: Uses<"clock" | "control" | "queue">): Promise<number> {
  const now = s.clock.now();
  let queued = 0;
  let after = "";
  for (;;) {
    const readers = await listReaders(s.control, { after, limit: PAGE_PEOPLE });
    const due = readers.flatMap(({ userId, preference }) => {
      const date = dayToReport(preference, now);
      if (date === null) return [];
      return [{ userId, date, occasion: reportOccasion(userId, periodNameOn(preference, date)) }];
    });
    const written = await listWritten(
      s.control,
      due.map(({ occasion }) => occasion),
    );
    const messages = due
      .filter(({ occasion }) => !written.has(occasion))
      .map(({ userId, date }): JobMessage => ({ job: "build-report", payload: { userId, date } }));
    if (messages.length > 0) await s.queue.send(messages);
    queued += messages.length;
    const last = readers.at(-1);
    if (!last || readers.length < PAGE_PEOPLE) return queued;
    after = last.userId;
  }
}
