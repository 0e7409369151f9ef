import { buttonClass } from "#app/components/button.tsx";
import { signInCopy as copy } from "#app/copy/auth.ts";
import { federationPath, rememberWay } from "./ways-in.ts";

/** The Google link of sign-in and sign-up. */
export function GoogleLink({
  label,
  next,
  isLastUsed,
}: {
  label: string;
  next: string | null;
  isLastUsed?: boolean;
}) {
  return (
    <a
      className={buttonClass({ variant: "outline", size: "l", isWide: true })}
      href={federationPath({ provider: "google", next })}
      onClick={() => rememberWay("google")}
    >
      <span className="platform-mark google-mark" aria-hidden />
      {label}
      {isLastUsed && <span className="badge">{copy.lastUsed}</span>}
    </a>
  );
}
