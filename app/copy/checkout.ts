import { descriptors } from "#connectors/registry/descriptors.generated.ts";

/** Text of the checkout. */
export const checkoutCopy = {
  title: "Checkout",
  memberText: "Only the owner of the account can buy or change a subscription. Please ask them.",
  back: "Back",
  subscriptions: "Subscriptions",
  contact: "Contact Us",
  steps: ["Backup capacity", "Company details", "Payment details"],
  stepsLabel: "Steps of the checkout",
  loadFailed: "The checkout could not be loaded",
  tryAgain: "Try again",
  app: {
    title: "App",
    none: "No trial yet",
    trial: (days: number) => `Trial, ${days} ${days === 1 ? "day" : "days"}`,
    trialOver: "Trial has ended",
    bought: (plan: string, quantity: number) => `${plan}, ${quantity.toLocaleString("en-US")}`,
    ended: "Subscription has ended",
    notSold: "Not sold yet",
    inBill: "In your bill",
    another: "Add another app",
    anotherHint: "Several apps are paid in one go, each with its own invoice.",
  },
  capacity: {
    title: "Backup capacity",
    today: (used: number, units: string) =>
      `${used.toLocaleString("en-US")} ${units} ${used === 1 ? "is" : "are"} backed up today`,
    has: (users: number, units: string) =>
      `${users.toLocaleString("en-US")} ${units} ${users === 1 ? "is" : "are"} on your account today`,
    notCounted: (units: string) => `How many ${units} your account has is not known yet`,
    follows: "The subscription follows the number of users: it is recalculated on each renewal.",
    slider: "Size of the plan",
    number: (units: string) => `Number of ${units}`,
    unlimited: "unlimited",
    above: (most: number) => `${most}+`,
    same: (from: number, to: number, room: number) =>
      `${from.toLocaleString("en-US")} to ${to.toLocaleString("en-US")} cost the same.${
        room > 0 ? ` You have room for ${room.toLocaleString("en-US")} more at this price.` : ""
      }`,
    each: (from: number, to: number, cost: string, unit: string) =>
      `${from.toLocaleString("en-US")} to ${to.toLocaleString("en-US")}: ${cost} for each ${unit} and month`,
    onRequest: (most: number, units: string) =>
      `More than ${most.toLocaleString("en-US")} ${units} are on request: write to us, and we agree on a price.`,
    empty: "Enter how many you want to back up.",
    least: (least: number, units: string) =>
      `The smallest plan has ${least.toLocaleString("en-US")} ${units}.`,
  },
  plan: {
    title: "Plan",
    period: "Billing period",
    month: "Monthly",
    year: "Annually",
    saves: "saves 20%",
    monthOnly: "Billed monthly only",
    aMonth: "a month",
    onRequest: "On request",
    compare: "Compare plans line by line",
    names: { essential: "Essential", pro_plan: "Pro", enterprise: "Enterprise" },
    facts: {
      essential: [
        "30 days kept",
        "Every 24 hours",
        "Single restores, download",
        "E-mail and chat in 24 hours",
      ],
      pro_plan: [
        "90 days kept",
        "Every 12 hours, and on demand",
        "Multiple-item restores",
        "External storage, audit trail",
      ],
      enterprise: ["Unlimited retention and items", "Everything in Pro"],
    },
    ribbons: {
      essential: "30 days kept, one run a day",
      pro_plan: "90 days kept, two runs a day",
      enterprise: "no end date",
    },
  },
  warnings: {
    active: "This subscription is already active",
    fewer: (what: string) => `You're choosing a plan that supports fewer ${what} than you currently have.`,
    backups: "backups",
    users: "users",
    paused: (count: number, [one, many]: readonly [string, string]) =>
      count === 1
        ? `With this plan the ${one} that was protected last pauses. Nothing is deleted: its versions can still be restored. To keep it, pause another one first.`
        : `With this plan the ${count.toLocaleString("en-US")} ${many} that were protected last pause. Nothing is deleted: their versions can still be restored. To keep them, pause others first.`,
    choose: (many: string) => `Choose ${many}`,
    open: "A purchase of this app is not finished. Continue with the same choice to finish it; nothing is charged twice.",
    unpaid: "An invoice of this app is open. Pay it on the Subscriptions page before you change the plan.",
  },
  refusals: {
    "no-app": "Choose an app",
    "on-request": "Contact us for this plan",
    empty: "Choose a capacity",
    active: "Already active",
    unpaid: "Pay the open invoice first",
    tooFew: (least: number) => `At least ${least.toLocaleString("en-US")}`,
    other: (label: string, why: string) => `${label}: ${why}`,
  },
  continue: "Continue",
  nothingYet:
    "Nothing is charged before step 3. Cancel whenever you like: the plan then runs to the end of the paid period.",
  bill: {
    title: "Your bill",
    empty: "Choose an app to see its price.",
    refused: "Change the app, its capacity, plan or period to see what it costs.",
    onRequest: "This plan has no list price. Write to us, and we agree on one.",
    twelveMonths: (amount: string) => `${amount}, 12 months`,
    oneMonth: (amount: string) => `${amount}, 1 month`,
    annual: "Annual billing",
    off: (percent: number) => `${percent}% off`,
    coupon: (code: string) => `Coupon ${code}`,
    discount: "Discount",
    unused: "Unused time",
    remaining: "Remaining time",
    credit: "Credit",
    creditNote: "from earlier changes",
    debt: "Open balance",
    kept: "Kept as credit",
    keptNote: "used by your next invoices",
    vat: (country: string) => `VAT, ${country}`,
    tax: (country: string) => `Tax, ${country}`,
    plainTax: "Tax",
    reverseCharge: "reverse charge: you account for it",
    taxOf: (percent: string, sum: string) => `${percent} of ${sum}`,
    due: "Due today",
    renews: (date: string) => `Renews on ${date}`,
    perUnit: (unit: string) => `Per ${unit}, each month`,
    checking: "The price is being checked",
    noTax: "Tax is added once your country is known.",
    remove: (label: string) => `Remove ${label} from the bill`,
    edit: "Change",
    range: (from: number, to: number, units: string) =>
      `${from.toLocaleString("en-US")} to ${to.toLocaleString("en-US")} ${units}`,
    count: (count: number, units: string) => `${count.toLocaleString("en-US")} ${units}`,
  },
  coupon: {
    label: "Coupon",
    placeholder: "Code",
    check: "Check coupon",
    valid: "Your coupon is applied",
    invalid: "Your coupon is invalid",
    remove: "Remove",
  },
  company: {
    title: "Company details",
    text: "They are printed on every invoice and decide the tax. You can change them later.",
    changeLater: "Nothing is charged before step 3.",
  },
  pay: {
    title: "Payment details",
    hint: "Goes straight to the payment provider; we only see the last four digits.",
    loading: "The card form is loading",
    scriptFailed:
      "The payment provider's card form could not be loaded. Check your connection, or whether an extension blocks it.",
    notSetUp: "Payments are not set up on this installation. Write to us to subscribe.",
    onFile: "Card on file",
    otherCard: "Another card",
    choice: "Pay with",
    invoiceTo: "Invoice to",
    reverseCharge: "Reverse charge: no tax is charged, you account for it.",
    change: "Change",
    next: "What happens next",
    nextLines: [
      "Your bank may ask you to confirm; the page waits here.",
      "Activating takes up to 3 minutes. You can leave; it goes on.",
      "The invoice comes by e-mail and stands in Payment history.",
    ],
    pay: (sum: string) => `Pay ${sum}`,
    confirm: "Confirm the change",
    again: "Update card and continue",
    renewNote: (isYear: boolean) =>
      `Renews by itself; cancel whenever you like, the plan then runs to the end of the paid ${isYear ? "year" : "month"}.`,
    incorrectCard: "Your card details are not correct. Please try again",
    declined: "Your card was declined for making repeated attempts or you have insufficient funds",
    providerError: "Stripe payment error",
    failedTitle: "Payment failed: Please review your payment details and funds.",
    nothingCharged: (apps: string) => `Nothing was charged for ${apps}.`,
    paidApps: (apps: string) => `${apps} is paid and goes on.`,
    enterAgain: "Enter the card again or another one. Steps 1 and 2 are kept.",
    priceChanged: "The price was checked again. Please look at the bill and press the button once more.",
    activating: "Paid. Activating your subscription",
    activatingText: "This takes up to 3 minutes. You can leave; it goes on.",
    active: "Your subscription is active",
    slow: "Paid. The subscription will be active in a few minutes",
    error: "Error",
  },
} as const;

/** The words for what a platform's capacity counts, where that is not its first kind of item. */
const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  jira: ["user", "users"],
};

/** What the capacity of a platform counts: "project", "projects". */
export function unitWords(platform: string): readonly [one: string, many: string] {
  const own = Object.hasOwn(UNITS, platform) ? UNITS[platform] : undefined;
  return own ?? itemWords(platform);
}

/** The words for what is backed up of a platform, whatever its capacity counts. */
export function itemWords(platform: string): readonly [one: string, many: string] {
  const kind = descriptors.find(({ id }) => id === platform)?.itemKinds[0];
  return kind ? [kind.one.toLowerCase(), kind.many.toLowerCase()] : ["item", "items"];
}

/** The rows of the plan comparison: what each plan contains (spec part 3 section 1, "Plan contents"). */
export const planRows: readonly { label: string; essential: string; pro_plan: string; enterprise: string }[] =
  [
    row("Retention", "30 days", "90 days", "Unlimited"),
    row("Backups", "Daily, every 24 hours", "Every 12 hours", "Every 12 hours"),
    row("Items", "Up to 1000 items", "Up to 1000 items", "Unlimited"),
    row("AES 256-bit encryption", "Yes", "Yes", "Yes"),
    row("Two-factor authentication", "Yes", "Yes", "Yes"),
    row("Local download", "Yes", "Yes", "Yes"),
    row("Single restores", "Unlimited", "Unlimited", "Unlimited"),
    row("E-mail notifications", "Yes", "Yes", "Yes"),
    row("24-hour e-mail and chat support", "Yes", "Yes", "Yes"),
    row("Backup on demand", "No", "Yes", "Yes"),
    row("External storage", "No", "Yes", "Yes"),
    row("Multiple-item restores", "No", "Yes", "Yes"),
    row("Activate/deactivate backups", "No", "Yes", "Yes"),
    row("Telephone support", "No", "Yes", "Yes"),
    row("Audit trail", "No", "Yes", "Yes"),
    row("Organisations and multi-user admin (coming soon)", "No", "Yes", "Yes"),
    row("Customer-managed keys (coming soon)", "No", "No", "Yes"),
  ];

function row(label: string, essential: string, pro_plan: string, enterprise: string) {
  return { label, essential, pro_plan, enterprise };
}
