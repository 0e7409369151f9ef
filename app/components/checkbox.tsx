import { type ComponentPropsWithoutRef, useEffect, useRef } from "react";

export type CheckboxProps = Omit<ComponentPropsWithoutRef<"input">, "type" | "checked" | "onChange"> & {
  /** "indeterminate" for a box that stands for several of which only some are ticked. Omit to leave it to the form. */
  checked?: boolean | "indeterminate";
  onCheckedChange?: (isChecked: boolean) => void;
};

/** The browser's own checkbox in our dress: it works in a form before any script has run. */
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
