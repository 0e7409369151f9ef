import type { InputOf } from "#app/api/call-api.ts";

/** What is saved of a company. */
export type CompanyPayload = InputOf<"PUT payments/stripe-update-company">;

/** The company and billing address in the form; empty strings for empty fields (spec A-224). */
export type CompanyFields = {
  name: string;
  country: string;
  state: string;
  city: string;
  line1: string;
  line2: string;
  postal_code: string;
  vat: string;
  /** The kind of the tax ID; empty for the country's usual one. */
  vatType: string;
};

/** A country's rules for addresses. */
export type CountryRules = {
  /** Codes and names of its states; empty when they are not listed. */
  states: readonly (readonly [code: string, name: string])[];
  /** Its companies' tax ID types at the payment provider, the usual one first; empty if it has none. */
  taxIdTypes: readonly string[];
};

/** A stored tax ID. The newest of a list is in use (spec A-225). */
export type TaxDetail = { id: string; type: string; value: string; status: TaxStatus };

/** What the register of its country says about a tax ID; many countries have no register that can be asked. */
export type TaxStatus = "pending" | "verified" | "unverified" | "unavailable";

/** Company details as stored in the profile. */
export type StoredCompany = {
  name?: string | null;
  address?: Partial<Record<Exclude<keyof CompanyFields, "name" | "vat" | "vatType">, string | null>> | null;
  tax_details?: readonly TaxDetail[] | null;
};

export const NO_COMPANY: CompanyFields = {
  name: "",
  country: "",
  state: "",
  city: "",
  line1: "",
  line2: "",
  postal_code: "",
  vat: "",
  vatType: "",
};

/** Converts stored details to form fields. Of several tax IDs, the last one is used. */
export function companyFieldsOf(stored: StoredCompany | null | undefined): CompanyFields {
  const { name, address, tax_details } = stored ?? {};
  return {
    name: name ?? "",
    country: address?.country ?? "",
    state: address?.state ?? "",
    city: address?.city ?? "",
    line1: address?.line1 ?? "",
    line2: address?.line2 ?? "",
    postal_code: address?.postal_code ?? "",
    vat: tax_details?.at(-1)?.value ?? "",
    vatType: tax_details?.at(-1)?.type ?? "",
  };
}

/** The state of the tax ID in the form; null for one that is not saved as it stands there. */
export function taxStatusOf(
  stored: StoredCompany | null | undefined,
  { vat, vatType }: Pick<CompanyFields, "vat" | "vatType">,
): TaxStatus | null {
  const saved = stored?.tax_details?.at(-1);
  const isSame = saved?.value === vat.trim() && (vatType === "" || saved.type === vatType);
  return saved && isSame ? saved.status : null;
}

/** Changes the country. Clears the state and the tax ID, which depend on it (spec B-203). */
export function withCountry(fields: CompanyFields, country: string): CompanyFields {
  return country === fields.country ? fields : { ...fields, country, state: "", vat: "", vatType: "" };
}

const ALWAYS = ["name", "country", "city", "line1", "postal_code"] as const;

/**
 * The required fields that are empty (spec B-196 to B-202). The state is required for countries with listed states. For
 * other countries it is optional, because an address may have none.
 */
export function missingFields(fields: CompanyFields, rules: CountryRules | null): (keyof CompanyFields)[] {
  const required: (keyof CompanyFields)[] = [...ALWAYS];
  if (!rules || rules.states.length > 0) required.push("state");
  return required.filter((name) => fields[name].trim() === "");
}

/** The kind of tax ID that is chosen: the country's usual one if it has the chosen one not; null if it has none. */
export function chosenTaxIdType(chosen: string, { taxIdTypes }: CountryRules): string | null {
  return taxIdTypes.includes(chosen) ? chosen : (taxIdTypes[0] ?? null);
}

/**
 * The request body: trimmed, without empty values (B-207), and with a tax ID only when it is filled in and its type is
 * known (B-205, B-206).
 */
export function companyPayload(fields: CompanyFields, rules: CountryRules | null): CompanyPayload {
  const { vat, vatType, ...address } = fields;
  const filled = Object.entries(address)
    .map(([name, text]) => [name, text.trim()] as const)
    .filter(([, text]) => text !== "");
  const value = vat.trim();
  const type = rules && chosenTaxIdType(vatType, rules);
  return {
    ...Object.fromEntries(filled),
    ...(value !== "" && type ? { tax_details: { type, value } } : {}),
    // The form sends nothing before the required fields are filled.
  } as CompanyPayload;
}
