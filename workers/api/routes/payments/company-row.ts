import type { CompanyView } from "#core/payments/index.ts";

/** A company in the specification's names (spec part 3 section 3, "Company details"). */
export function companyRow({ name, address, taxIds, isReverseCharge }: CompanyView) {
  const { postalCode, ...rest } = address;
  return {
    name,
    address: { ...rest, postal_code: postalCode },
    tax_details: taxIds.map(({ id, type, value, state }) => ({ id, type, value, status: state })),
    reverse_charge: isReverseCharge,
  };
}
