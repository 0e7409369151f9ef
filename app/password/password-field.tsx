import { Eye, EyeOff } from "lucide-react";
import { type ComponentPropsWithoutRef, useState } from "react";
import { Field } from "#app/components/field.tsx";
import { signInCopy as copy } from "#app/copy/auth.ts";

/** A password field that can reveal its text and warns about Caps Lock. Pasting is allowed. */
export function PasswordField(props: Omit<ComponentPropsWithoutRef<typeof Field>, "type" | "end">) {
  const [isShown, setIsShown] = useState(false);
  const [isCapsLock, setIsCapsLock] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Field
      {...props}
      hint={isCapsLock ? copy.capsLock : props.hint}
      onKeyUp={(event) => {
        setIsCapsLock(event.getModifierState("CapsLock"));
        props.onKeyUp?.(event);
      }}
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
