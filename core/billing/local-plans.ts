/**
 * The plan table that the specification describes beside the provider's catalogue (spec B-031, B-032, B-142). Nothing is
 * sold by it: prices are those of the catalogue. Its one price is that of GitHub's second bracket, 11 to 50 repositories.
 * `periodHours` of the trial is a stored field that calls answer; a trial runs fourteen days (spec A-015).
 */
export const LOCAL_PLANS = {
  essential: {
    name: "Essential",
    /** US dollars a month. */
    price: 24,
    /** Identifiers at the payment provider. */
    productId: "holdfast_github_essential",
    monthlyPriceId: "github.essential.month",
    yearlyPriceId: "github.essential.year",
  },
  trial: { name: "Trial", periodHours: 4 },
} as const;
