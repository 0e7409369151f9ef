import { Check } from "lucide-react";
import { useRef, useState } from "react";
import { callApi } from "#app/api/call-api.ts";
import { useRequest } from "#app/api/use-request.ts";
import { Button } from "#app/components/button.tsx";
import { Field } from "#app/components/field.tsx";
import { checkoutCopy } from "#app/copy/checkout.ts";
import type { AppliedCoupon } from "./checkout-memory.ts";

const copy = checkoutCopy.coupon;

/** The coupon of a purchase: checked when the field is left, and by its button (spec B-208 to B-211). */
export function CouponField({
  applied,
  onChange,
}: {
  applied: AppliedCoupon | null;
  onChange: (coupon: AppliedCoupon | null) => void;
}) {
  const [code, setCode] = useState("");
  const asked = useRef<string | null>(null);
  const { isBusy, refusal, refuse, send } = useRequest();

  async function check() {
    const wanted = code.trim();
    if (wanted === "" || isBusy) return;
    asked.current = wanted;
    await send(async () => {
      const { result } = await callApi(
        "GET payments/stripe-get-promotion-code",
        { promotion_code: wanted },
        { isQuiet: true },
      );
      const { amountOff, percentOff, platforms } = result;
      if (result.status === "invalid") refuse(copy.invalid);
      else onChange({ code: wanted, amountOff, percentOff, platforms });
    });
  }
  if (applied !== null)
    return (
      <div className="row between coupon-applied">
        <span className="status-badge meta" role="status">
          <Check className="ok-t" aria-hidden />
          {copy.valid}
        </span>
        <Button
          size="s"
          variant="ghost"
          onClick={() => {
            asked.current = null;
            setCode("");
            onChange(null);
          }}
        >
          {copy.remove}
        </Button>
      </div>
    );
  return (
    <form
      method="post"
      className="coupon-field"
      onSubmit={(event) => {
        event.preventDefault();
        void check();
      }}
    >
      <Field
        label={copy.label}
        name="coupon"
        value={code}
        placeholder={copy.placeholder}
        autoComplete="off"
        spellCheck={false}
        maxLength={64}
        errors={refusal === null ? [] : [refusal]}
        onChange={({ target }) => {
          setCode(target.value);
          refuse(null);
        }}
        onBlur={() => code.trim() !== asked.current && void check()}
      />
      <Button type="submit" isBusy={isBusy}>
        {copy.check}
      </Button>
    </form>
  );
}
