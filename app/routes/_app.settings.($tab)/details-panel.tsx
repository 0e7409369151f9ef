import type { CompanyPayload } from "#app/company/company-details.ts";
import { CompanyForm } from "#app/company/company-form.tsx";
import { notify } from "#app/components/toasts.ts";
import { companyCopy, detailsCopy as copy } from "#app/copy/settings.ts";
import { AccountType } from "./account-type.tsx";
import { ClosingSection } from "./closing-section.tsx";
import { NamesForm } from "./names-form.tsx";
import { PhotoField } from "./photo-field.tsx";
import { Section } from "./section.tsx";
import { useSettings } from "./settings-context.tsx";
import { ThemePicker } from "./theme-picker.tsx";

/** The user's details, theme, and billing address. */
export function DetailsPanel() {
  const { me, ask, refreshMe } = useSettings();
  async function saveCompany(payload: CompanyPayload) {
    if (!(await ask("PUT payments/stripe-update-company", payload))) return;
    notify(companyCopy.updated);
    await refreshMe();
  }
  return (
    <>
      <Section title={copy.user}>
        <PhotoField />
        <NamesForm />
      </Section>
      {!me.isSubUser && <AccountType />}
      <ThemePicker />
      {!me.isSubUser && (
        <Section title={companyCopy.title} text={companyCopy.text}>
          <CompanyForm stored={me.company} submit={companyCopy.update} onSubmit={saveCompany} />
        </Section>
      )}
      {!me.isSubUser && <ClosingSection />}
    </>
  );
}
