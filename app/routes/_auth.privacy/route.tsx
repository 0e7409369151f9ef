import type { MetaFunction } from "@remix-run/cloudflare";
import { privacyCopy } from "#app/copy/legal.ts";
import { LegalPage } from "#app/routes/_auth/legal-page.tsx";

export const meta: MetaFunction = () => [{ title: `${privacyCopy.title} · Holdfast` }];

export default function Privacy() {
  return <LegalPage text={privacyCopy} />;
}
