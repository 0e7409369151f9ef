import {
  type Charge,
  type Correction,
  type Invoice,
  type Payment,
  PaymentError,
  type PaymentProvider,
  type ProviderCustomer,
  type ProviderPromotion,
  type ProviderSubscription,
  type Purchase,
} from "#connectors/contract/payment-provider.ts";
import { costCents, findPrice } from "#core/billing/index.ts";
import { renewalAfter } from "#core/payments/renewal.ts";

type Call = keyof PaymentProvider;
type Intent = Payment & { id: string; invoiceId: string; attempts: number };
type Stored = { subscription: ProviderSubscription; customerId: string; invoiceId: string | null };

/** What a card does, by its id: the rest of the name does not matter. */
const isDeclined = (cardId: string) => cardId.startsWith("pm_declined");
const needsAction = (cardId: string) => cardId.startsWith("pm_3ds");

/**
 * A payment provider in memory, behind the product's own contract. `interrupt` runs before and after every call, so a test
 * can crash there or let something else happen; it is not Stripe, which `connectors/payments/stripe` speaks to.
 */
export function memoryPayments(clock: { now: () => number }) {
  let counter = 0;
  const id = (prefix: string) => `${prefix}_${++counter}${Math.random().toString(36).slice(2, 8)}`;
  const customers = new Map<string, ProviderCustomer & { organisationId: string }>();
  const emails = new Map<string, string>();
  const cards = new Map<string, string>();
  const subscriptions = new Map<string, Stored>();
  const invoices = new Map<string, Invoice & { finalizedAt: number; isRenewal: boolean }>();
  const intents = new Map<string, Intent>();
  const charges: (Charge & { customerId: string })[] = [];
  const promotions = new Map<string, ProviderPromotion>();
  const corrections: (Correction & { customerId: string })[] = [];
  const answers = new Map<string, { order: string; answer: unknown }>();
  const calls: { call: Call; key: string | null }[] = [];
  const hooks: {
    interrupt: (call: Call, when: "before" | "after") => void | Promise<void>;
  } = { interrupt: () => undefined };

  const customerOf = (customerId: string) => {
    const found = customers.get(customerId);
    if (!found) throw new PaymentError("missing", "No such customer.");
    return found;
  };
  const stored = (subscriptionId: string) => {
    const found = subscriptions.get(subscriptionId);
    if (!found) throw new PaymentError("missing", "No such subscription.");
    return found;
  };
  const invoiceOf = (invoiceId: string) => {
    const found = invoices.get(invoiceId);
    if (!found) throw new PaymentError("missing", "No such invoice.");
    return found;
  };
  const keyOf = (priceId: string) => {
    const price = findPrice(priceId.replace(/^price_/, ""));
    if (!price) throw new PaymentError("missing", "No such price.");
    return price;
  };

  /** Writes an invoice; one of nothing is paid at once. */
  function bill(subscriptionId: string, customerId: string, cents: number, isRenewal = false): Invoice {
    const invoiceId = id("in");
    const intentId = id("pi");
    const isFree = cents <= 0;
    const invoice = {
      id: invoiceId,
      customerId,
      subscriptionId,
      number: `H-${counter}`,
      state: isFree ? ("paid" as const) : ("open" as const),
      currency: "usd",
      totalCents: cents,
      taxCents: 0,
      dueCents: Math.max(0, cents),
      paidCents: 0,
      createdAt: clock.now(),
      finalizedAt: clock.now(),
      isRenewal,
      dueAt: null,
      hostedUrl: `https://pay.example.test/${invoiceId}`,
      pdfUrl: `https://pay.example.test/${invoiceId}.pdf`,
      lines: [{ text: "Subscription", cents, productId: "prod_1" }],
      isReverseCharge: customerOf(customerId).isReverseCharge,
      intentIds: isFree ? [] : [intentId],
    };
    invoices.set(invoiceId, invoice);
    if (!isFree)
      intents.set(intentId, {
        id: intentId,
        invoiceId,
        state: "requires_payment_method",
        clientSecret: `${intentId}_secret`,
        message: null,
        attemptId: null,
        attempts: 0,
      });
    stored(subscriptionId).invoiceId = invoiceId;
    renote(subscriptionId);
    return invoice;
  }

  /** Copies the state of the latest invoice into its subscription. */
  function renote(subscriptionId: string) {
    const { subscription, invoiceId } = stored(subscriptionId);
    const invoice = invoiceId === null ? null : invoiceOf(invoiceId);
    subscription.latestInvoice = invoice && {
      id: invoice.id,
      state: invoice.state,
      finalizedAt: invoice.finalizedAt,
      dueAt: invoice.dueAt,
      nextAttemptAt: null,
      attempts: 0,
      isRenewal: invoice.isRenewal,
    };
  }

  function settle(intent: Intent) {
    const invoice = invoiceOf(intent.invoiceId);
    invoice.state = "paid";
    invoice.paidCents = invoice.dueCents;
    charges.push({
      id: id("ch"),
      customerId: invoice.customerId,
      intentId: intent.id,
      currency: "usd",
      cents: invoice.dueCents,
      capturedCents: invoice.dueCents,
      refundedCents: 0,
      isPaid: true,
      state: "succeeded",
      last4: "4242",
      receiptUrl: "https://pay.example.test/receipt",
      createdAt: clock.now(),
    });
    const { subscription } = stored(invoice.subscriptionId!);
    if (subscription.pending) {
      subscription.priceKey = subscription.pending.priceKey;
      subscription.quantity = subscription.paidQuantity = subscription.pending.quantity;
      subscription.pending = null;
    }
    if (["incomplete", "past_due", "unpaid"].includes(subscription.state)) subscription.state = "active";
    renote(subscription.id);
  }

  function charge(intent: Intent, cardId: string): Payment {
    if (intent.state === "succeeded") return intent;
    intent.attempts += 1;
    if (isDeclined(cardId)) {
      intent.attemptId = `ch_${intent.id}_${intent.attempts}`;
      Object.assign(intent, { state: "requires_payment_method", message: "Your card was declined." });
    } else if (needsAction(cardId)) intent.state = "requires_action";
    else {
      Object.assign(intent, { state: "succeeded", message: null });
      settle(intent);
    }
    return { ...intent };
  }

  const purchaseOf = (subscriptionId: string): Purchase => {
    const { subscription, invoiceId } = stored(subscriptionId);
    const invoice = invoiceId === null ? null : invoiceOf(invoiceId);
    const intent = invoice?.intentIds[0] === undefined ? null : intents.get(invoice.intentIds[0])!;
    return {
      subscriptionId,
      state: subscription.state,
      invoiceId,
      isInvoiceOpen: invoice?.state === "open",
      intentId: intent?.id ?? null,
      payment: intent && { ...intent },
      setupSecret: null,
      isChangePending: subscription.pending !== null,
      priceKey: subscription.priceKey,
      quantity: subscription.quantity,
    };
  };

  const provider: PaymentProvider = {
    createCustomer: async ({ organisationId, name, email }) => {
      const customerId = id("cus");
      emails.set(customerId, email);
      customers.set(customerId, {
        id: customerId,
        organisationId,
        isDeleted: false,
        name,
        address: null,
        creditCents: 0,
        card: null,
        taxIds: [],
        isReverseCharge: false,
      });
      return customerId;
    },
    findCustomers: async ({ organisationId }) =>
      [...customers.values()].filter((each) => each.organisationId === organisationId).map((each) => each.id),
    readCustomer: async (customerId) => structuredClone(customerOf(customerId)),
    saveAddress: async (customerId, { name, address }) => {
      Object.assign(customerOf(customerId), { name, address });
    },
    setEmail: async (customerId, email) => {
      emails.set(customerOf(customerId).id, email);
    },
    endReverseCharge: async (customerId) => {
      customerOf(customerId).isReverseCharge = false;
    },
    addTaxId: async (customerId, { type, value }) => {
      if (value === "invalid") throw new PaymentError("refused", "Invalid value for eu_vat.");
      const taxId = id("txi");
      const customer = customerOf(customerId);
      customer.taxIds = [...customer.taxIds, { id: taxId, type, value, state: "pending" }];
      return taxId;
    },
    removeTaxId: async (customerId, taxId) => {
      const customer = customerOf(customerId);
      const before = customer.taxIds.length;
      customer.taxIds = customer.taxIds.filter((each) => each.id !== taxId);
      return customer.taxIds.length < before;
    },
    attachCard: async (customerId, cardId) => {
      cards.set(cardId, customerId);
      customerOf(customerId).card = { id: cardId, brand: "visa", last4: "4242", expMonth: 12, expYear: 2030 };
    },
    ownerOfCard: async (cardId) => {
      if (cardId.startsWith("pm_missing")) throw new PaymentError("missing", "No such payment method.");
      return cards.get(cardId) ?? null;
    },
    createCardSetup: async () => ({ clientSecret: "seti_1_secret" }),
    findPrices: async (keys) => new Map(keys.map((key) => [key, `price_${key}`])),
    taxRate: async ({ country }) => `txr_${country}`,
    findPromotion: async (code) => promotions.get(code) ?? null,
    listSubscriptions: async (customerId) => ({
      subscriptions: [...subscriptions.values()]
        .filter((each) => each.customerId === customerId)
        .map(({ subscription }) => structuredClone(subscription)),
      unreadable: [],
    }),
    subscribe: async (order) => {
      const price = keyOf(order.priceId);
      const subscriptionId = id("sub");
      const now = clock.now();
      subscriptions.set(subscriptionId, {
        customerId: order.customerId,
        invoiceId: null,
        subscription: {
          id: subscriptionId,
          commandId: order.commandId,
          itemId: id("si"),
          priceKey: price.key,
          quantity: order.quantity,
          paidQuantity: order.quantity,
          state: "incomplete",
          periodStart: now,
          periodEnd: renewalAfter(now, price.period),
          cancelAt: null,
          isCancelledByDate: false,
          endedAt: null,
          createdAt: now,
          isInvoiced: false,
          latestInvoice: null,
          pending: null,
        },
      });
      const promotion = [...promotions.values()].find((each) => each.id === order.promotionId);
      const cents = costCents(price, order.quantity);
      const off = promotion ? (promotion.amountOffCents ?? (cents * promotion.percentOff!) / 100) : 0;
      const invoice = bill(subscriptionId, order.customerId, cents - off);
      if (invoice.state === "paid") stored(subscriptionId).subscription.state = "active";
      return purchaseOf(subscriptionId);
    },
    readPurchase: async (subscriptionId) => purchaseOf(subscriptionId),
    confirmPayment: async (intentId, cardId) => charge(intents.get(intentId)!, cardId),
    changeSubscription: async (order) => {
      const { subscription, customerId } = stored(order.subscriptionId);
      const price = keyOf(order.priceId);
      const before = costCents(findPrice(subscription.priceKey!)!, subscription.quantity);
      const cents = costCents(price, order.quantity) - before;
      subscription.pending = {
        priceKey: price.key,
        quantity: order.quantity,
        expiresAt: clock.now() + 82_800_000,
      };
      const invoice = bill(subscription.id, customerId, cents);
      if (invoice.state === "paid") {
        customerOf(customerId).creditCents += -cents;
        Object.assign(subscription, {
          priceKey: price.key,
          quantity: order.quantity,
          paidQuantity: order.quantity,
          pending: null,
        });
      } else {
        const card = customerOf(customerId).card;
        if (card) charge(intents.get(invoice.intentIds[0]!)!, card.id);
      }
      return purchaseOf(subscription.id);
    },
    setQuantity: async ({ subscriptionId, itemId, quantity }) => {
      const { subscription } = stored(subscriptionId);
      if (subscription.itemId !== itemId) throw new PaymentError("missing", "No such subscription item.");
      if (subscription.endedAt !== null) throw new PaymentError("refused", "The subscription has ended.");
      subscription.quantity = quantity;
    },
    setCancelling: async (order) => {
      const { subscription } = stored(order.subscriptionId);
      subscription.cancelAt = order.isCancelling ? subscription.periodEnd : null;
    },
    setTaxRates: async () => undefined,
    endSubscription: async (subscriptionId) => {
      Object.assign(stored(subscriptionId).subscription, { state: "canceled", endedAt: clock.now() });
    },
    preview: async ({ priceId, quantity, change }) => {
      const before = change ? stored(change.subscriptionId).subscription : null;
      const old = before ? costCents(findPrice(before.priceKey!)!, before.quantity) : 0;
      const cents = costCents(keyOf(priceId), quantity);
      return {
        lines: [{ text: "Subscription", cents, isProration: change !== null }],
        subtotalCents: cents - old,
        discountCents: 0,
        taxCents: 0,
        totalCents: cents - old,
        creditCents: 0,
        dueCents: Math.max(0, cents - old),
        isReverseCharge: false,
      };
    },
    recurringCents: async (_customerId, subscriptionId) => {
      const { priceKey, quantity } = stored(subscriptionId).subscription;
      return costCents(findPrice(priceKey!)!, quantity);
    },
    readInvoice: async (invoiceId) => structuredClone(invoiceOf(invoiceId)),
    payInvoice: async (invoiceId, cardId) => charge(intents.get(invoiceOf(invoiceId).intentIds[0]!)!, cardId),
    voidInvoice: async (invoiceId) => {
      const invoice = invoiceOf(invoiceId);
      if (invoice.state === "paid") throw new PaymentError("refused", "A paid invoice cannot be voided.");
      invoice.state = "void";
      const { subscription } = stored(invoice.subscriptionId!);
      subscription.pending = null;
      if (subscription.state === "incomplete")
        Object.assign(subscription, { state: "incomplete_expired", endedAt: clock.now() });
      renote(subscription.id);
    },
    listInvoices: async (customerId) =>
      [...invoices.values()].filter((each) => each.customerId === customerId).reverse(),
    listOpenInvoices: async (customerId) =>
      [...invoices.values()].filter((each) => each.customerId === customerId && each.state === "open"),
    listCorrections: async (customerId) =>
      corrections.filter((each) => each.customerId === customerId).map(({ customerId: _, ...rest }) => rest),
    listCharges: async (customerId) => charges.filter((each) => each.customerId === customerId).reverse(),
    openPortal: async (customerId) => `https://pay.example.test/portal/${customerId}`,
    readEvent: async () => {
      throw new PaymentError("forged", "This provider sends no events.");
    },
  };

  /** The position of each write's key among its arguments is the last. Reads have none. */
  const WRITES: ReadonlySet<Call> = new Set([
    "createCustomer",
    "saveAddress",
    "setEmail",
    "endReverseCharge",
    "addTaxId",
    "attachCard",
    "createCardSetup",
    "subscribe",
    "confirmPayment",
    "changeSubscription",
    "setQuantity",
    "setCancelling",
    "setTaxRates",
    "endSubscription",
    "payInvoice",
    "voidInvoice",
  ]);
  const guarded = new Proxy(provider, {
    get: (target, name) => {
      const call = name as Call;
      const method = target[call] as ((...args: unknown[]) => Promise<unknown>) | undefined;
      if (!method) return undefined;
      return async (...args: unknown[]) => {
        const key = WRITES.has(call) ? (args.at(-1) as string) : null;
        await hooks.interrupt(call, "before");
        calls.push({ call, key });
        const order = JSON.stringify([call, args]);
        const saved = key === null ? undefined : answers.get(key);
        if (saved && saved.order !== order)
          throw new PaymentError("conflict", `The key ${key} was used for another order.`);
        const answer = saved ? saved.answer : await method(...args);
        if (key !== null) answers.set(key, { order, answer });
        await hooks.interrupt(call, "after");
        return structuredClone(answer);
      };
    },
  });
  return {
    provider: guarded,
    hooks,
    calls,
    customers,
    /** The address of each customer. */
    emails,
    subscriptions,
    invoices,
    intents,
    charges,
    promotions,
    corrections,
    /** Something about a payment is corrected; the newest payment if none is named. */
    correct: (
      change: Pick<Correction, "kind" | "state" | "cents"> & Partial<Correction>,
      charge = charges.at(-1)!,
    ) => {
      const correction = {
        ...{ id: id("re"), customerId: charge.customerId, intentId: charge.intentId, invoiceId: null },
        ...{ refundedCents: 0, currency: "usd", number: null, pdfUrl: null, createdAt: clock.now() },
        ...change,
      };
      corrections.push(correction);
      return correction;
    },
    /** The bank confirms a payment that asked for it. */
    authenticate: (intentId: string) => {
      const intent = intents.get(intentId)!;
      Object.assign(intent, { state: "succeeded" });
      settle(intent);
    },
    /** The period turns: a cancelled subscription ends, another is charged for what it has now. */
    renew: (subscriptionId: string) => {
      const { subscription, customerId } = stored(subscriptionId);
      if (subscription.cancelAt !== null) {
        Object.assign(subscription, { state: "canceled", endedAt: subscription.periodEnd });
        return;
      }
      const price = findPrice(subscription.priceKey!)!;
      subscription.periodStart = subscription.periodEnd;
      subscription.periodEnd = renewalAfter(subscription.periodEnd, price.period);
      subscription.paidQuantity = subscription.quantity;
      const invoice = bill(subscriptionId, customerId, costCents(price, subscription.quantity), true);
      charge(intents.get(invoice.intentIds[0]!)!, customerOf(customerId).card!.id);
    },
    /** A renewal fails: the period moves on, and an invoice stays open. */
    failRenewal: (subscriptionId: string) => {
      const found = stored(subscriptionId);
      const price = findPrice(found.subscription.priceKey!)!;
      Object.assign(found.subscription, {
        state: "past_due",
        periodStart: found.subscription.periodEnd,
        periodEnd: renewalAfter(found.subscription.periodEnd, price.period),
      });
      bill(subscriptionId, found.customerId, costCents(price, found.subscription.quantity), true);
    },
  };
}

export type MemoryPayments = ReturnType<typeof memoryPayments>;
