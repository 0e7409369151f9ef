import { LoaderCircle } from "lucide-react";
import { type ComponentPropsWithoutRef, forwardRef } from "react";

export type ButtonLook = {
  /** At most one solid button per view. */
  variant?: "solid" | "outline" | "soft" | "ghost" | "danger" | "bad";
  size?: "s" | "m" | "l";
  isWide?: boolean;
};

export type ButtonProps = ComponentPropsWithoutRef<"button"> &
  ButtonLook & {
    /** Why the button is disabled. Shown inside the button, which stays focusable. */
    reason?: string | null;
    /** Work is in progress: shows a spinner next to the label and ignores clicks. */
    isBusy?: boolean;
  };

/** The class names of a button, for links that look like one. */
export function buttonClass({ variant = "outline", size = "m", isWide }: ButtonLook = {}): string {
  return ["btn", `btn-${variant}`, size !== "m" && `btn-${size}`, isWide && "btn-wide"]
    .filter(Boolean)
    .join(" ");
}

/** A button that shows the reason when it is disabled. */
export const Button = forwardRef<HTMLButtonElement, ButtonProps>(function Button(
  { variant, size, isWide, reason, isBusy, className, children, onClick, type = "button", ...rest },
  ref,
) {
  const isOff = Boolean(reason) || Boolean(isBusy) || rest["aria-disabled"] === true;
  return (
    <button
      {...rest}
      ref={ref}
      type={type}
      className={`${buttonClass({ variant, size, isWide })} ${className ?? ""}`.trim()}
      aria-disabled={isOff || undefined}
      aria-busy={isBusy || undefined}
      onClick={isOff ? (event) => event.preventDefault() : onClick}
    >
      {isBusy && <LoaderCircle className="spin" aria-hidden />}
      {children}
      {reason && <span className="btn__reason">{reason}</span>}
    </button>
  );
});
