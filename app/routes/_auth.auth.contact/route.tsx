import type { MetaFunction } from "@remix-run/cloudflare";
import { Link } from "@remix-run/react";
import { contactCopy as copy } from "#app/copy/contact.ts";
import { ContactForm } from "../_app.contact/contact-form.tsx";

export const meta: MetaFunction = () => [{ title: `${copy.title} · Holdfast` }];

/** The contact page without sign-in. */
export default function VisitorContact() {
  return (
    <>
      <div className="auth__panel">
        <h1>{copy.title}</h1>
        <p className="soft">{copy.lead}</p>
        <ContactForm known={{}} />
      </div>
      <p className="auth__after">
        <Link className="link" to="/auth/login">
          {copy.signIn}
        </Link>
      </p>
    </>
  );
}
