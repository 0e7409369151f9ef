import type { CheckboxProps } from "./checkbox.tsx";

export type SwitchProps = Omit<CheckboxProps, "checked"> & { checked?: boolean };

/** A toggle that takes effect at once, without saving. */
export function Switch({ onCheckedChange, className, ...rest }: SwitchProps) {
  return (
    <input
      {...rest}
      type="checkbox"
      // biome-ignore lint/a11y/useAriaPropsForRole: -- the browser exposes a native checkbox's state
      role="switch"
      className={["switch", className].filter(Boolean).join(" ")}
      onChange={(event) => onCheckedChange?.(event.currentTarget.checked)}
    />
  );
}
