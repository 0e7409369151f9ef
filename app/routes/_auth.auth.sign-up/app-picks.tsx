import { CircleAlert } from "lucide-react";
import { Checkbox } from "#app/components/checkbox.tsx";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { signUpCopy as copy } from "#app/copy/auth.ts";
import { APPS_TO_PROTECT } from "./apps-to-protect.ts";

/** Selects the apps to protect, at least one (spec ). */
export function AppPicks({
  name,
  errors,
  onPick,
}: {
  name: string;
  errors: readonly string[] | undefined;
  onPick: (app: string, isPicked: boolean) => void;
}) {
  const error = errors?.[0];
  return (
    <fieldset aria-describedby={error ? `${name}-error` : undefined} aria-invalid={error ? true : undefined}>
      <legend>{copy.apps}</legend>
      <div className="app-picks">
        {APPS_TO_PROTECT.map(({ id, label }) => (
          <label key={id} className="app-pick" htmlFor={`protect-${id}`}>
            <Checkbox
              id={`protect-${id}`}
              name={name}
              value={id}
              onCheckedChange={(isPicked) => onPick(id, isPicked)}
            />
            {label}
            <PlatformMark platform={id} />
          </label>
        ))}
      </div>
      {error && (
        <span className="field__error" id={`${name}-error`} role="alert">
          <CircleAlert className="icon-s" aria-hidden />
          <span>{error}</span>
        </span>
      )}
    </fieldset>
  );
}
