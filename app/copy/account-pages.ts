/** Text of the subscriptions and payments pages. */
export const subscriptionsCopy = {
  title: "Subscriptions",
  columns: ["Platform", "Plan", "State", "Items", "Ends"],
  edit: "Edit subscription",
  tooLarge: (items: number) => `Above ${items.toLocaleString("en-US")} items: contact us`,
  none: "No platform was started yet.",
  connect: "Open the app connector",
  plans: { trial: "Trial", essential: "Essential", pro: "Pro", none: "None" },
  active: "Active",
  trialPeriod: "Trial period",
  ended: "Ended",
  open: "until cancelled",
  used: (used: number, limit: number) => `${used} of ${limit}`,
  history: "Payment history",
} as const;

export const checkoutCopy = {
  title: "Checkout",
  text: "Paying by card is not open yet. Tell us which platform you want to protect and how many items, and we set the subscription up for you; until then nothing is charged.",
  memberText: "Only the owner of the account can buy or change a subscription. Please ask them.",
  contact: "Contact us",
  back: "Subscriptions",
} as const;

export const paymentsCopy = {
  title: "Payment history",
  text: "No payment has been made.",
  back: "Back to Subscriptions",
} as const;
