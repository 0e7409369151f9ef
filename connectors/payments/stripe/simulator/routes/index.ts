import type { Endpoint } from "../endpoint.ts";
import { accountRoutes } from "./account.ts";
import { cardRoutes } from "./cards.ts";
import { correctionRoutes } from "./corrections.ts";
import { customerRoutes } from "./customers.ts";
import { discountRoutes } from "./discounts.ts";
import { intentRoutes } from "./intents.ts";
import { invoiceRoutes } from "./invoices.ts";
import { portalRoutes } from "./portal.ts";
import { previewRoutes } from "./previews.ts";
import { priceRoutes } from "./prices.ts";
import { productRoutes } from "./products.ts";
import { subscriptionRoutes } from "./subscriptions.ts";
import { taxRoutes } from "./tax.ts";

/** Every endpoint that the simulator has. */
export const routes: readonly Endpoint[] = [
  ...customerRoutes,
  ...cardRoutes,
  ...intentRoutes,
  ...productRoutes,
  ...priceRoutes,
  ...discountRoutes,
  ...taxRoutes,
  ...subscriptionRoutes,
  ...previewRoutes,
  ...invoiceRoutes,
  ...correctionRoutes,
  ...portalRoutes,
  ...accountRoutes,
];
