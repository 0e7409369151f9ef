import { useQueryClient } from "@tanstack/react-query";
import { callApi } from "#app/api/call-api.ts";
import { type OneRequest, useRequest } from "#app/api/use-request.ts";
import type { CompanyPayload } from "#app/company/company-details.ts";
import { CompanyForm } from "#app/company/company-form.tsx";
import { Callout } from "#app/components/callout.tsx";
import { checkoutCopy } from "#app/copy/checkout.ts";
import { type Account, accountQuery } from "#app/money/billing-queries.ts";

const copy = checkoutCopy.company;

/** The form's id, for the Continue button in the bill. */
export const COMPANY_FORM = "checkout-company";

/** Step 2: the company, which is saved before step 3 opens (spec B-177, B-178). */
export function CompanyStep({
  account,
  request,
  onCountry,
  onSaved,
}: {
  account: Account;
  request: Pick<OneRequest, "refusal" | "send">;
  onCountry: (country: string) => void;
  onSaved: () => void;
}) {
  const client = useQueryClient();
  async function save(payload: CompanyPayload) {
    const isSaved = await request.send(async () => {
      const body = { ...payload, isCheckout: true };
      const { result } = await callApi("PUT payments/stripe-update-company", body, { isQuiet: true });
      client.setQueryData(accountQuery.queryKey, (known) => known && { ...known, company: result });
    });
    if (isSaved) onSaved();
  }
  return (
    <>
      <h2>{copy.title}</h2>
      <p className="soft checkout-lede">{copy.text}</p>
      {request.refusal !== null && (
        <div className="checkout-notes">
          <Callout tone="bad">{request.refusal}</Callout>
        </div>
      )}
      <CompanyForm
        stored={account.company}
        submit={null}
        id={COMPANY_FORM}
        onCountry={onCountry}
        onSubmit={save}
      />
    </>
  );
}

/** The saving of the company, which the Continue button outside the form shows. */
export const useCompanySave = useRequest;
