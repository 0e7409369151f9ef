import { siGoogle } from "simple-icons";
import { buttonClass } from "#app/components/button.tsx";
import { signInCopy as copy } from "#app/copy/auth.ts";
import { federationPath, rememberWay } from "./ways-in.ts";

/** The way in by a Google account, for sign-in and sign-up alike. */
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
      <span className="platform-mark" aria-hidden>
        <svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
          <path d={siGoogle.path} />
        </svg>
      </span>
      {label}
      {isLastUsed && <span className="badge">{copy.lastUsed}</span>}
    </a>
  );
}
