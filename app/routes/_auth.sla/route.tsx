import type { MetaFunction } from "@remix-run/cloudflare";
import { slaCopy } from "#app/copy/legal.ts";
import { LegalPage } from "#app/routes/_auth/legal-page.tsx";

export const meta: MetaFunction = () => [{ title: `${slaCopy.title} · Holdfast` }];

export default function Sla() {
  return <LegalPage text={slaCopy} />;
}
