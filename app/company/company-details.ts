/** The company and billing address as its form holds it; empty text where nothing is filled in (spec A-224). */
export type CompanyFields = {
  name: string;
  country: string;
  state: string;
  city: string;
  line1: string;
  line2: string;
  postal_code: string;
  vat: string;
};

/** What a country asks of an address. */
export type CountryRules = {
  /** Codes and names of its states; empty where they are not listed. */
  states: readonly (readonly [code: string, name: string])[];
  /** Type of its company tax ID at the payment provider, null where it has none. */
  taxIdType: string | null;
};

/** A stored tax ID; the newest of a list is the one in use (spec A-225). */
export type TaxDetail = { id: string; type: string; value: string };

/** Company details as the profile holds them. */
export type StoredCompany = {
  name?: string | null;
  address?: Partial<Record<Exclude<keyof CompanyFields, "name" | "vat">, string | null>> | null;
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
};

/** The stored details as the form shows them; of several tax IDs the last one. */
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
  };
}

/** Another country has other states and another tax ID, so both are cleared (spec B-203). */
export function withCountry(fields: CompanyFields, country: string): CompanyFields {
  return country === fields.country ? fields : { ...fields, country, state: "", vat: "" };
}

const ALWAYS = ["name", "country", "city", "line1", "postal_code"] as const;

/**
 * The required fields that are empty (spec B-196 to B-202). A state is required where the country's states are listed;
 * elsewhere an address may have none, so its free text is optional.
 */
export function missingFields(fields: CompanyFields, rules: CountryRules | null): (keyof CompanyFields)[] {
  const required: (keyof CompanyFields)[] = [...ALWAYS];
  if (!rules || rules.states.length > 0) required.push("state");
  return required.filter((name) => fields[name].trim() === "");
}

/** What is sent: trimmed, empty values dropped (B-207), a tax ID only where filled in and known (B-205, B-206). */
export function companyPayload(fields: CompanyFields, rules: CountryRules | null) {
  const { vat, ...address } = fields;
  const filled = Object.entries(address)
    .map(([name, text]) => [name, text.trim()] as const)
    .filter(([, text]) => text !== "");
  const value = vat.trim();
  const type = rules?.taxIdType;
  return {
    ...Object.fromEntries(filled),
    ...(value !== "" && type ? { tax_details: { type, value } } : {}),
  };
}
