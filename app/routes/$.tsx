import { data } from "@remix-run/cloudflare";
import { PageFailure } from "#app/components/page-failure.tsx";

/** Every other address answers 404. */
export function loader(): never {
  throw data(null, { status: 404 });
}

export default function NotFound() {
  return null;
}

export function ErrorBoundary() {
  return (
    <main className="main" style={{ maxWidth: 760, margin: "0 auto" }}>
      <PageFailure />
    </main>
  );
}
