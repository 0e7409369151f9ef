import { paymentCopy as copy } from "#app/copy/settings.ts";
import { Section } from "./section.tsx";

/** The payment method. */
export function PaymentPanel() {
  return (
    <Section title={copy.title} text={copy.text}>
      <p className="settings-fact">{copy.none}</p>
    </Section>
  );
}
