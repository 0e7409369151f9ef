import type { MetaFunction } from "@remix-run/cloudflare";
import { PageFailure } from "#app/components/page-failure.tsx";
import { PageHeader } from "#app/components/page-header.tsx";
import { contactCopy as copy } from "#app/copy/contact.ts";
import type { CrumbHandle } from "#app/shell/crumbs.ts";
import { useShell } from "#app/shell/use-shell.ts";
import { ContactForm } from "./contact-form.tsx";

export const meta: MetaFunction = () => [{ title: `${copy.title} · Holdfast` }];

export const handle: CrumbHandle = { crumbs: () => [{ label: copy.title }] };

/** The contact page in the signed-in frame. Visitors are redirected to the contact page without sign-in. */
export default function Contact() {
  const { givenName, familyName, email } = useShell().member;
  return (
    <div className="form-col">
      <PageHeader title={copy.title} />
      <p className="soft contact-lead">{copy.lead}</p>
      <ContactForm known={{ firstName: givenName, lastName: familyName, email }} />
    </div>
  );
}

export function ErrorBoundary() {
  return <PageFailure />;
}
