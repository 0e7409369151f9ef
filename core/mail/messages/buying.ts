import type { MailContent } from "../mail-content.ts";

/** How a plan is bought: in the checkout, or where a marketplace sells it (spec A-034). */
export const buying = (checkoutUrl: string | null): Pick<MailContent, "action" | "after"> =>
  checkoutUrl === null
    ? { after: ["You buy the licence in the marketplace where you got the app."] }
    : { action: { label: "Choose a plan", url: checkoutUrl } };
