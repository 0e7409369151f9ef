import { Link } from "@remix-run/react";
import { type LegalText, legalCopy } from "#app/copy/legal.ts";

/** One of the three legal texts, in one column. */
export function LegalPage({ text }: { text: LegalText }) {
  return (
    <>
      <article className="auth__panel legal">
        <header>
          <h1>{text.title}</h1>
          <p className="soft">{text.lead}</p>
        </header>
        {text.sections.map((section) => (
          <section key={section.title}>
            <h2>{section.title}</h2>
            {section.text.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </section>
        ))}
        <p className="auth__small">{legalCopy.updated}</p>
      </article>
      <p className="auth__after">
        <Link className="link" to="/auth/login">
          {legalCopy.back}
        </Link>
      </p>
    </>
  );
}
