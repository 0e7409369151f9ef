import type { PaymentProvider } from "#connectors/contract/payment-provider.ts";

/**
 * Standard rates of value added and sales taxes by country, in hundredths of a percent (European Commission, "VAT rates
 * applied in the Member States"; the tax authorities of the others). A country that is absent pays none. Rates at the
 * payment provider are made from this table and never edited.
 */
const RATES: Readonly<Record<string, readonly [basisPoints: number, label: string]>> = {
  AT: [2000, "VAT"],
  BE: [2100, "VAT"],
  BG: [2000, "VAT"],
  CY: [1900, "VAT"],
  CZ: [2100, "VAT"],
  DE: [1900, "VAT"],
  DK: [2500, "VAT"],
  EE: [2400, "VAT"],
  ES: [2100, "VAT"],
  FI: [2550, "VAT"],
  FR: [2000, "VAT"],
  GR: [2400, "VAT"],
  HR: [2500, "VAT"],
  HU: [2700, "VAT"],
  IE: [2300, "VAT"],
  IT: [2200, "VAT"],
  LT: [2100, "VAT"],
  LU: [1700, "VAT"],
  LV: [2100, "VAT"],
  MT: [1800, "VAT"],
  NL: [2100, "VAT"],
  PL: [2300, "VAT"],
  PT: [2300, "VAT"],
  RO: [2100, "VAT"],
  SE: [2500, "VAT"],
  SI: [2200, "VAT"],
  SK: [2300, "VAT"],
  GB: [2000, "VAT"],
  NO: [2500, "VAT"],
  CH: [810, "VAT"],
  IS: [2400, "VAT"],
  AU: [1000, "GST"],
  NZ: [1500, "GST"],
  SG: [900, "GST"],
  JP: [1000, "JCT"],
};

/** The tax of a country, in percent (spec B-149, B-243). */
export function taxPercentOf(country: string | null): number {
  return (rateOf(country)?.[0] ?? 0) / 100;
}

/** The tax rates of a country at the provider. */
export async function taxRatesOf(
  payments: Pick<PaymentProvider, "taxRate">,
  country: string | null,
): Promise<string[]> {
  const rate = rateOf(country);
  if (!rate || country === null) return [];
  return [await payments.taxRate({ country, basisPoints: rate[0], label: rate[1] })];
}

function rateOf(country: string | null) {
  return country !== null && Object.hasOwn(RATES, country) ? RATES[country] : undefined;
}
