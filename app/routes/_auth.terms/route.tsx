import type { MetaFunction } from "@remix-run/cloudflare";
import { termsCopy } from "#app/copy/legal.ts";
import { LegalPage } from "#app/routes/_auth/legal-page.tsx";

export const meta: MetaFunction = () => [{ title: `${termsCopy.title} · Holdfast` }];

export default function Terms() {
  return <LegalPage text={termsCopy} />;
}
