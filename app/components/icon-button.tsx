import { type ComponentPropsWithoutRef, forwardRef } from "react";
import { Tooltip } from "./tooltip.tsx";

export type IconButtonProps = Omit<ComponentPropsWithoutRef<"button">, "aria-label"> & {
  /** Accessible name, also the tooltip. */
  label: string;
  /** Why it cannot be pressed; told in the tooltip and to screen readers. */
  reason?: string | null;
  isLarge?: boolean;
};

/** A square button with an icon; its name is its tooltip. */
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
