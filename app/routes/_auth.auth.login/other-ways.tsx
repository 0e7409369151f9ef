import { KeyRound } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button, buttonClass } from "#app/components/button.tsx";
import { Field } from "#app/components/field.tsx";
import { signInCopy as copy } from "#app/copy/auth.ts";
import { failureCopy } from "#app/copy/shared.ts";
import { GoogleLink } from "./google-link.tsx";
import { loadFlow } from "./use-sign-in.ts";
import { federationPath, rememberWay, type WaysIn } from "./ways-in.ts";

/** Sign-in through another provider: Google or the company's own (spec ). */
export function OtherWays({
  ways,
  next,
  domainFailure,
}: {
  ways: WaysIn;
  next: string | null;
  /** What was wrong with the company domain; null = nothing. */
  domainFailure: string | null;
}) {
  if (!ways.google && !ways.enterprise && !ways.okta) return null;
  return (
    <div className="auth__alternatives">
      <p className="or">{copy.or}</p>
      {ways.google && <GoogleLink label={copy.google} next={next} isLastUsed={ways.lastUsed === "google"} />}
      {ways.okta && (
        <a
          className={buttonClass({ variant: "outline", size: "l", isWide: true })}
          href={federationPath({ provider: "okta", next })}
          onClick={() => rememberWay("okta")}
        >
          <KeyRound aria-hidden />
          {copy.okta}
          {ways.lastUsed === "okta" && <span className="badge">{copy.lastUsed}</span>}
        </a>
      )}
      {ways.enterprise && (
        <Enterprise next={next} failure={domainFailure} isLastUsed={ways.lastUsed === "enterprise"} />
      )}
    </div>
  );
}

/** The company's single sign-on, selected by its domain (spec ). */
function Enterprise({
  next,
  failure,
  isLastUsed,
}: {
  next: string | null;
  failure: string | null;
  isLastUsed: boolean;
}) {
  const [isOpen, setIsOpen] = useState(failure !== null);
  const [error, setError] = useState(failure);
  async function go(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get("domain");
    const flow = await loadFlow().catch(() => null);
    if (flow === null) return setError(failureCopy.script);
    const read = flow.readDomain(typed);
    if ("error" in read) return setError(read.error ?? copy.domainRequired);
    rememberWay("enterprise");
    window.location.assign(federationPath({ provider: "enterprise", domain: read.domain, next }));
  }
  return (
    <>
      <Button size="l" isWide aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <KeyRound aria-hidden />
        {copy.enterprise}
        {isLastUsed && <span className="badge">{copy.lastUsed}</span>}
      </Button>
      {isOpen && (
        <form method="post" className="auth__domain" noValidate onSubmit={go}>
          <Field
            name="domain"
            label={copy.domain}
            hint={copy.domainHint}
            errors={error ? [error] : []}
            onChange={() => setError(null)}
            autoComplete="organization"
            autoCapitalize="off"
            spellCheck={false}
            inputMode="url"
            isLarge
          />
          <Button type="submit" isWide size="l" variant="soft">
            {copy.domainSubmit}
          </Button>
        </form>
      )}
    </>
  );
}
