import { OTPInput, REGEXP_ONLY_DIGITS } from "input-otp";
import { CircleAlert } from "lucide-react";
import { forwardRef, useId } from "react";

/** Number of digits of an authenticator code. */
export const CODE_LENGTH = 6;

/**
 * One input drawn as a box per digit. It is a single real input, so that pasting, password managers and codes suggested
 * by the phone work (WCAG 3.3.8). Spaces in pasted text are removed.
 */
export const OtpField = forwardRef<
  HTMLInputElement,
  {
    label: string;
    value: string;
    onChange: (value: string) => void;
    /** Called with the whole code as soon as the last digit is entered. */
    onComplete?: (value: string) => void;
    error?: string | null;
    isDisabled?: boolean;
    length?: number;
  }
>(function OtpField({ label, value, onChange, onComplete, error, isDisabled, length = CODE_LENGTH }, ref) {
  const id = useId();
  const look = ["otp", error && "is-bad", isDisabled && "is-off"].filter(Boolean).join(" ");
  return (
    <div className={look}>
      <label className="otp__label" htmlFor={id}>
        {label}
      </label>
      <OTPInput
        ref={ref}
        id={id}
        name="code"
        value={value}
        onChange={onChange}
        {...(onComplete ? { onComplete } : {})}
        maxLength={length}
        pattern={REGEXP_ONLY_DIGITS}
        inputMode="numeric"
        autoComplete="one-time-code"
        disabled={isDisabled}
        pasteTransformer={(pasted) => pasted.replace(/\D/g, "")}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        render={({ slots }) => (
          <div className="otp__slots" aria-hidden>
            {slots.map((slot, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: -- a digit is identified by its index
              <span key={place} className={slot.isActive ? "otp__slot is-active" : "otp__slot"}>
                {slot.char ?? (slot.hasFakeCaret ? <i className="otp__caret" /> : null)}
              </span>
            ))}
          </div>
        )}
      />
      {error && (
        <span className="field__error" id={`${id}-error`} role="alert">
          <CircleAlert className="icon-s" aria-hidden />
          <span>{error}</span>
        </span>
      )}
    </div>
  );
});
