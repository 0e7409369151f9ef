import { type ComponentPropsWithoutRef, forwardRef } from "react";
import { Tooltip } from "./tooltip.tsx";

export type IconButtonProps = Omit<ComponentPropsWithoutRef<"button">, "aria-label"> & {
  /** Accessible name and tooltip. */
  label: string;
  /** Why the button is disabled. Shown in the tooltip and read by screen readers. */
  reason?: string | null;
  isLarge?: boolean;
};

/** A square icon button. Its name is its tooltip. */
export const IconButton = forwardRef<HTMLButtonElement, IconButtonProps>(function IconButton(
  { label, reason, isLarge, className, onClick, type = "button", ...rest },
  ref,
) {
  const classes = ["icon-btn", isLarge && "icon-btn-l", className].filter(Boolean).join(" ");
  return (
    <Tooltip content={reason ? `${label}: ${reason}` : label}>
      <button
        {...rest}
        ref={ref}
        type={type}
        className={classes}
        aria-label={label}
        aria-description={reason ?? undefined}
        aria-disabled={reason ? true : undefined}
        onClick={reason ? (event) => event.preventDefault() : onClick}
      />
    </Tooltip>
  );
});
