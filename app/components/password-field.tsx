import { Eye, EyeOff } from "lucide-react";
import { type ComponentPropsWithoutRef, useState } from "react";
import { signInCopy as copy } from "#app/copy/auth.ts";
import { Field } from "./field.tsx";

/** A password field whose text can be shown. Pasting is welcome. */
export function PasswordField(props: Omit<ComponentPropsWithoutRef<typeof Field>, "type" | "end">) {
  const [isShown, setIsShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Field
      {...props}
      type={isShown ? "text" : "password"}
      spellCheck={false}
      autoCapitalize="off"
      end={
        <button
          type="button"
          className="icon-btn end"
          aria-label={isShown ? copy.hidePassword : copy.showPassword}
          onClick={() => setIsShown(!isShown)}
        >
          <Icon aria-hidden />
        </button>
      }
    />
  );
}
