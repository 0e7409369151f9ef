import type { Catalogue } from "#app/money/catalogue-view.ts";
import { catalogueOf } from "#workers/api/routes/payments/catalogue.ts";

/** The catalogue of the product's five platforms as the API answers it, for tests. */
export const demoCatalogue = (): Catalogue =>
  catalogueOf(["github", "gitlab", "trello", "jira", "notion"]) as Catalogue;
