import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { checkoutCopy } from "#app/copy/checkout.ts";
import type { CardForm as Form } from "./use-card-form.ts";

const copy = checkoutCopy.pay;

/** The place of the provider's card form, with what is shown until it comes, and when it does not. */
export function CardForm({ form, isBad }: { form: Form; isBad?: boolean }) {
  return (
    <div
      className={isBad ? "card-form is-bad" : "card-form"}
      aria-busy={form.state === "loading" || undefined}
    >
      <div ref={form.place} hidden={form.state === "failed"} />
      {form.state === "loading" && (
        <p className="skeleton card-form__wait" role="status">
          <span className="sr">{copy.loading}</span>
        </p>
      )}
      {form.state === "failed" && (
        <Callout
          tone="bad"
          action={
            <Button size="s" onClick={form.retry}>
              {checkoutCopy.tryAgain}
            </Button>
          }
        >
          {copy.scriptFailed}
        </Callout>
      )}
    </div>
  );
}
