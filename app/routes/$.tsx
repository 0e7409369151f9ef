import { data, type MetaFunction } from "@remix-run/cloudflare";
import { BarePage } from "#app/components/bare-page.tsx";
import { PageFailure } from "#app/components/page-failure.tsx";
import { notFoundCopy } from "#app/copy/shared.ts";

export const meta: MetaFunction = () => [{ title: `${notFoundCopy.title} · Holdfast` }];

/** All unknown paths answer 404 (spec A-061). */
export function loader(): never {
  throw data(null, { status: 404 });
}

export default function NotFoundRoute() {
  return null;
}

export function ErrorBoundary() {
  return (
    <BarePage>
      <PageFailure />
    </BarePage>
  );
}
