import { auditStatement, OURSELVES } from "#core/audit/index.ts";
import { costCents, findPrice, seatRanges } from "#core/billing/index.ts";
import type { JobMessage } from "#core/jobs/index.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { type MailOrder, queueMail } from "#core/mail/index.ts";
import type { MailServices, Uses } from "#core/services.ts";
import { checkoutUrlOf } from "./checkout-url.ts";
import {
  listEndingCards,
  listEndingTrials,
  listNoticedCorrections,
  listNoticedSubscriptions,
  listUnwritten,
  type NoticedCorrection,
} from "./notice.store.ts";
import { PAST_DUE_MS } from "./projection.ts";
import { listNoticedSeats } from "./recalculation.store.ts";

type NoticeServices = MailServices & Uses<"connectors">;

/** Before a trial or a cancelled subscription ends (reference: spec part 3 section 2, "Status banners"). */
const NOTICE_MS = 3 * DAY_MS;
/** A correction is told of for so long after its state was seen first. */
const CORRECTION_MS = 7 * DAY_MS;

/**
 * Every hour: e-mails the owner before a trial or a cancelled subscription ends, for each failed payment, before a renewal for another number of users, before the
 * card expires, and of refunds, disputes and credit notes. Each occasion is written once, however often this runs, together
 * with its entry in the audit trail.
 */
export async function sendPaymentNotices(s: NoticeServices): Promise<void> {
  await inPages((after) => trialNotices(s, after));
  await inPages((after) => subscriptionNotices(s, after));
  await inPages((after) => userNotices(s, after));
  await inPages((after) => cardNotices(s, after));
  await inPages((after) => correctionNotices(s, after));
}

/** Runs a pass page by page. A pass returns the id of its last row; null at the end. */
async function inPages(pass: (after: string) => Promise<string | null>): Promise<void> {
  let after: string | null = "";
  while (after !== null) after = await pass(after);
}

async function trialNotices(s: NoticeServices, after: string): Promise<string | null> {
  const now = s.clock.now();
  const plans = await listEndingTrials(s.control, { from: now + 1, to: now + NOTICE_MS, after });
  await write(
    s,
    plans.map((plan): Order => {
      const to = { organisationId: plan.organisationId, recipient: plan.email };
      const about = { platformLabel: labelOf(s, plan.platform), timeZone: plan.timeZone };
      const checkoutUrl = checkoutUrlOf(s.settings);
      const name = `${plan.organisationId}:${plan.platform}:${plan.endsAt}`;
      const isToday = plan.endsAt - now <= DAY_MS;
      const occasion = `trial-ending-${isToday ? "today" : "soon"}:${name}`;
      const data = { ...about, isToday, endsAt: plan.endsAt, checkoutUrl };
      return { occasion, ...to, message: "trial-ending", data, platform: plan.platform };
    }),
  );
  return plans.at(-1)?.id ?? null;
}

async function subscriptionNotices(s: NoticeServices, after: string): Promise<string | null> {
  const now = s.clock.now();
  const rows = await listNoticedSubscriptions(s.control, { now, cancelledBefore: now + NOTICE_MS, after });
  const url = `${s.settings.PUBLIC_URL}/subscriptions`;
  await write(
    s,
    rows.flatMap((row): Order[] => {
      const to = { organisationId: row.organisationId, recipient: row.email, platform: row.platform };
      const about = { platformLabel: labelOf(s, row.platform), timeZone: row.timeZone };
      if (row.status === "past_due") {
        const data = {
          ...about,
          cardDigits: row.cardLast4,
          nextAttemptAt: row.nextAttemptAt,
          backupsStopAt: (row.pastDueSince ?? now) + PAST_DUE_MS,
          payUrl: url,
        };
        const occasion = `payment-failed:${row.invoiceId}:${row.attempts}`;
        return [{ occasion, ...to, message: "payment-failed", data }];
      }
      if (row.cancelAt === null) return [];
      const data = { ...about, endsAt: row.cancelAt, keepUrl: url };
      const occasion = `subscription-ending:${row.id}:${row.cancelAt}`;
      const message = "subscription-ending" as const;
      return [{ occasion, ...to, message, data }];
    }),
  );
  return rows.at(-1)?.id ?? null;
}

/** Each other number of users is told once in a period: what the renewal will cost must not be a surprise. */
async function userNotices(s: NoticeServices, after: string): Promise<string | null> {
  const now = s.clock.now();
  const rows = await listNoticedSeats(s.control, {
    ranges: seatRanges(),
    from: now,
    to: now + NOTICE_MS,
    after,
  });
  await write(
    s,
    rows.flatMap((row): Order[] => {
      const price = findPrice(row.priceKey);
      if (!price || row.target === row.boughtQuantity) return [];
      const data = {
        platformLabel: labelOf(s, row.platform),
        users: row.seats,
        paid: row.boughtQuantity,
        renewed: row.target,
        cents: costCents(price, row.target),
        renewsAt: row.periodEnd,
        timeZone: row.timeZone,
        subscriptionUrl: `${s.settings.PUBLIC_URL}/subscriptions`,
      };
      const to = { organisationId: row.organisationId, recipient: row.email, platform: row.platform };
      const occasion = `users-changed:${row.id}:${row.periodEnd}:${row.target}`;
      return [{ occasion, ...to, message: "users-changed", data }];
    }),
  );
  return rows.at(-1)?.id ?? null;
}

async function cardNotices(s: MailServices, after: string): Promise<string | null> {
  const today = new Date(s.clock.now());
  const next = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1));
  const months = [today, next].map((date) => [date.getUTCFullYear(), date.getUTCMonth() + 1] as const);
  const cards = await listEndingCards(s.control, { months, after });
  await write(
    s,
    cards.map((card) => ({
      occasion: `card-expiring:${card.organisationId}:${card.cardId}:${card.year}-${card.month}`,
      organisationId: card.organisationId,
      recipient: card.email,
      platform: null,
      message: "card-expiring" as const,
      data: {
        brand: card.brand,
        digits: card.last4,
        month: card.month,
        year: card.year,
        changeUrl: `${s.settings.PUBLIC_URL}/subscriptions`,
      },
    })),
  );
  return cards.at(-1)?.id ?? null;
}

async function correctionNotices(s: NoticeServices, after: string): Promise<string | null> {
  const since = s.clock.now() - CORRECTION_MS;
  const corrections = await listNoticedCorrections(s.control, { since, after });
  await write(
    s,
    corrections.flatMap((each): Order[] => {
      const kind = newsOf(each);
      if (kind === null) return [];
      const isBack = kind === "refunded" || kind === "dispute-lost";
      const data = {
        kind,
        cents: each.cents,
        platformLabel: each.platform === null ? null : labelOf(s, each.platform),
        stoppedAt: isBack ? each.moneyBackAt : null,
        timeZone: each.timeZone,
        historyUrl: `${s.settings.PUBLIC_URL}/payment-history`,
      };
      const to = { organisationId: each.organisationId, recipient: each.email, platform: each.platform };
      return [{ occasion: `correction:${each.id}:${kind}`, ...to, message: "payment-corrected", data }];
    }),
  );
  return corrections.at(-1)?.id ?? null;
}

/** What to tell of a correction; null for what needs no e-mail. A note about a refund is told by the refund. */
function newsOf({
  kind,
  state,
  cents,
  refundedCents,
}: NoticedCorrection): MailOrder<"payment-corrected">["data"]["kind"] | null {
  if (kind === "credit_note") return state === "done" && refundedCents < cents ? "credited" : null;
  switch (state) {
    case "pending":
    case "done":
      return "refunded";
    case "failed":
      return "refund-failed";
    case "open":
      return "dispute-opened";
    case "lost":
      return "dispute-lost";
    case "won":
      return "dispute-won";
  }
}

type Order = (
  | MailOrder<"trial-ending">
  | MailOrder<"payment-failed">
  | MailOrder<"users-changed">
  | MailOrder<"subscription-ending">
  | MailOrder<"card-expiring">
  | MailOrder<"payment-corrected">
) & { organisationId: string; platform: string | null };

/** Writes and queues the e-mails of new occasions. An entry of the audit trail is named like its e-mail. */
async function write(s: MailServices, orders: readonly Order[]): Promise<void> {
  if (orders.length === 0) return;
  const unwritten = await listUnwritten(
    s.control,
    orders.map(({ occasion }) => occasion),
  );
  const jobs: JobMessage[] = [];
  for (const { platform, ...mail } of orders.filter(({ occasion }) => unwritten.has(occasion))) {
    const { organisationId, occasion, message } = mail;
    const { statement, job } = await queueMail(s, mail as MailOrder);
    const entry = auditStatement(s, {
      ...{ organisationId, platform, occasion, action: message },
      ...{ userId: null, userName: OURSELVES },
      outcome: message === "payment-failed" ? "failed" : "success",
    });
    await s.control.batch([statement, entry]);
    jobs.push(job);
  }
  if (jobs.length > 0) await s.queue.send(jobs);
}

function labelOf(s: Uses<"connectors">, platform: string): string {
  return s.connectors.get(platform)?.descriptor.label ?? platform;
}
