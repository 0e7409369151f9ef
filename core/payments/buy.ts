import { AppError } from "#core/kernel/app-error.ts";
import { logger } from "#core/kernel/logger.ts";
import type { Member } from "#core/organisations/index.ts";
import { afterChange, recordingFailure } from "./after.ts";
import { cardOf } from "./cards.ts";
import { assertChangeable, assertSettled, type Choice, changedBy, readChoice } from "./choice.ts";
import { asking } from "./commands.ts";
import { type Company, saveCompany } from "./company.ts";
import { ensureCustomer } from "./customer.ts";
import type { PaymentServices, QuoteServices } from "./deps.ts";
import type { PurchaseOrder } from "./order.ts";
import { isAccountClosed } from "./owner.store.ts";
import { isOtherPeriod, priceIdOf } from "./preview.ts";
import { readProjection, type SubscriptionRow, wantSync } from "./projection.store.ts";
import { discounted, requirePromotion } from "./promotion.ts";
import { beginPurchase, type ItemPayment, outcomeOf, payPurchase } from "./purchase.ts";
import { readQuote } from "./quote.ts";
import { syncQuietly } from "./sync-customer.ts";
import { taxRatesOf } from "./tax.ts";

const log = logger("payments");

type Item = { platform: string; priceId: string; quantity: number; quote: string | null };

/**
 * Buys or changes the subscriptions of several platforms (spec part 3 sections 2, 4 and 7). Everything that can be refused
 * is checked before anything is sent. Each platform is a command with a payment of its own, so that one declined card does
 * not undo the others; the answers say how each went.
 *
 * @throws AppError when the request as a whole is refused
 */
export async function buy(
  deps: QuoteServices,
  member: Member,
  { company, items, code }: { company: Company | null; items: readonly Item[]; code: string | null },
): Promise<ItemPayment[]> {
  const { organisationId } = member;
  const choices = items.map((item) => ({ ...readChoice(item), quote: item.quote }));
  if (new Set(choices.map(({ platform }) => platform)).size < choices.length)
    throw new AppError("err.request.invalid", { message: "Each platform can be bought once at a time." });
  const { customer: known, rows } = await readProjection(deps.control, organisationId);
  const plans = choices.map((choice) => ({ choice, row: changedBy(choice, rows) }));
  for (const { choice, row } of plans) if (row) assertChangeable(choice, row);
  for (const { choice, row } of plans) if (row) await readQuoteFor(deps, organisationId, choice, row);
  const changed = plans.flatMap(({ row }) => row ?? []);
  if (known) await assertSettled(deps, known.stripeCustomerId, changed);
  const bought = plans.flatMap(({ choice, row }) => (row ? [] : [choice]));
  const promotion = await requirePromotion(deps, member, bought.length > 0 ? code : null, bought);
  if (company) await saveCompany(deps, member, company, { needsCard: false });
  await ensureCustomer(deps, member);
  const { customer } = await readProjection(deps.control, organisationId);
  const card = cardOf(customer);
  if (!customer || !card) throw new AppError("err.payment.method.missing");
  if (customer.country === null) throw new AppError("err.company.missing");
  const taxRates = await asking(() => taxRatesOf(deps.payments, customer.country));
  const cheaper = discounted(promotion, bought);
  const answers: ItemPayment[] = [];
  for (const { choice, row } of plans) {
    const promotionId = cheaper.some((each) => each.platform === choice.platform) ? promotion?.id : null;
    const answer = await buyOne(deps, member, { choice, card: card.id, row }, async () => {
      const price = {
        priceId: await priceIdOf(deps, choice.price.key),
        priceKey: choice.price.key,
        quantity: choice.quantity,
      };
      if (!row)
        return {
          kind: "subscribe",
          customerId: customer.stripeCustomerId,
          taxRates,
          promotionId: promotionId ?? null,
          ...price,
        };
      const { prorationAt } = await readQuoteFor(deps, organisationId, choice, row);
      const isNewPeriod = isOtherPeriod(row, choice.price.period);
      return {
        kind: "change",
        subscriptionId: row.id,
        itemId: row.itemId,
        prorationAt,
        isNewPeriod,
        ...price,
      };
    });
    answers.push(answer);
  }
  await syncQuietly(deps, organisationId);
  return answers;
}

/** Buys one platform. What goes wrong is its answer, because the other platforms are bought all the same. */
async function buyOne(
  deps: PaymentServices,
  member: Member,
  { choice, card, row }: { choice: Choice; card: string; row: SubscriptionRow | null },
  orderOf: () => Promise<PurchaseOrder>,
): Promise<ItemPayment> {
  const { organisationId } = member;
  const { platform, price } = choice;
  const answer: ItemPayment = {
    platform,
    priceId: price.key,
    subscriptionId: null,
    state: "failed",
    clientSecret: null,
    secretOf: "payment",
    isPending: false,
    message: null,
    code: null,
  };
  const action = {
    action: row ? "change-subscription" : "buy-subscription",
    platform,
    subject: `${price.key} × ${choice.quantity}`,
  };
  try {
    const [begun, payment] = await recordingFailure(deps, member, action, () =>
      asking(async () => {
        await assertOpen(deps, organisationId);
        const begun = await beginPurchase(deps, { organisationId, platform }, await orderOf(), () =>
          assertUnchanged(deps, organisationId, choice, row),
        );
        await wantSync(deps.control, organisationId);
        answer.subscriptionId = begun.purchase.subscriptionId;
        await assertOpen(deps, organisationId);
        return [begun, await payPurchase(deps, begun, card)] as const;
      }),
    );
    const { purchase } = begun;
    const outcome = outcomeOf(payment);
    // A purchase succeeds once, and each declined try of it is an entry of its own.
    const tried = outcome === "failed" ? `:declined:${payment?.attemptId ?? "first"}` : "";
    await afterChange(deps, member, { ...action, outcome, occasion: `purchase:${begun.commandId}${tried}` });
    if (payment === null && purchase.setupSecret !== null)
      return {
        ...answer,
        state: "requires_action",
        clientSecret: purchase.setupSecret,
        secretOf: "setup",
      };
    return {
      ...answer,
      state: payment?.state ?? "succeeded",
      clientSecret: payment?.state === "succeeded" ? null : (payment?.clientSecret ?? null),
      isPending: purchase.isChangePending && payment?.state !== "succeeded",
      message: payment?.message ?? null,
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.warn("A purchase of {platform} failed: {reason}", { platform, reason: error.code, organisationId });
    return { ...answer, message: error.message, code: error.code };
  }
}

/**
 * Refuses what was ordered for another subscription than the one of now, because another tab bought meanwhile.
 * @throws AppError `err.payment.quote`, and those of `assertChangeable`, such as `err.plan.active`
 */
async function assertUnchanged(
  deps: Pick<PaymentServices, "control">,
  organisationId: string,
  choice: Choice,
  before: SubscriptionRow | null,
): Promise<void> {
  const now = changedBy(choice, (await readProjection(deps.control, organisationId)).rows);
  if (now) assertChangeable(choice, now);
  const isSame =
    now?.id === before?.id && now?.priceKey === before?.priceKey && now?.quantity === before?.quantity;
  if (!isSame) throw new AppError("err.payment.quote");
}

/** The quote of this very change. @throws AppError `err.payment.quote` */
async function readQuoteFor(
  deps: Pick<QuoteServices, "clock" | "settings">,
  organisationId: string,
  choice: Choice & { quote: string | null },
  row: SubscriptionRow,
) {
  if (choice.quote === null) throw new AppError("err.payment.quote");
  const quote = await readQuote(deps, choice.quote, deps.clock.now());
  const { from } = quote;
  const isThis =
    quote.organisationId === organisationId &&
    quote.platform === choice.platform &&
    quote.priceKey === choice.price.key &&
    quote.quantity === choice.quantity &&
    from?.id === row.id &&
    from.priceKey === row.priceKey &&
    from.quantity === row.quantity;
  if (!isThis) throw new AppError("err.payment.quote");
  return quote;
}

/**
 * Nothing is charged for an account that was closed in another tab meanwhile. What was begun is ended by the cron.
 * @throws AppError `err.account.closed`
 */
async function assertOpen(deps: Pick<PaymentServices, "control">, organisationId: string): Promise<void> {
  if (await isAccountClosed(deps.control, organisationId)) throw new AppError("err.account.closed");
}
