import { type ComponentPropsWithoutRef, useEffect, useRef } from "react";

export type CheckboxProps = Omit<ComponentPropsWithoutRef<"input">, "type" | "checked" | "onChange"> & {
  /** "indeterminate" when only some of the represented items are checked. Omit it for an uncontrolled checkbox. */
  checked?: boolean | "indeterminate";
  onCheckedChange?: (isChecked: boolean) => void;
};

/** A styled native checkbox, so that it works in a form before any script has run. */
export function Checkbox({ checked, onCheckedChange, className, ...rest }: CheckboxProps) {
  const box = useRef<HTMLInputElement>(null);
  const isSome = checked === "indeterminate";
  useEffect(() => {
    if (box.current) box.current.indeterminate = isSome;
  }, [isSome]);
  return (
    <input
      {...rest}
      ref={box}
      type="checkbox"
      className={["checkbox", className].filter(Boolean).join(" ")}
      aria-checked={isSome ? "mixed" : undefined}
      checked={isSome ? false : checked}
      onChange={(event) => onCheckedChange?.(event.currentTarget.checked)}
    />
  );
}
