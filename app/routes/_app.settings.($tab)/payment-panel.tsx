import { Link } from "@remix-run/react";
import { buttonClass } from "#app/components/button.tsx";
import { paymentCopy as copy } from "#app/copy/settings.ts";
import { useRestricted } from "#app/session/use-restricted.ts";
import { Section } from "./section.tsx";

/** Where the card is that pays for subscriptions. In restricted mode the marketplace has it. */
export function PaymentPanel() {
  if (useRestricted()) return <Section title={copy.title} text={copy.marketplace} />;
  return (
    <Section title={copy.title} text={copy.text}>
      <p>
        <Link className={buttonClass({})} to="/subscriptions">
          {copy.open}
        </Link>
      </p>
    </Section>
  );
}
