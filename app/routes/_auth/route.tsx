import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { Link, Outlet, useLoaderData } from "@remix-run/react";
import { Brand } from "#app/components/brand.tsx";
import { PageFailure } from "#app/components/page-failure.tsx";
import { Toaster } from "#app/components/toaster.tsx";
import { authRibbonLabel, authFooterCopy as copy } from "#app/copy/auth.ts";
import { AuthRibbon } from "./auth-ribbon.tsx";

/** The home page of a signed-in user in restricted mode (spec A-070). */
const RESTRICTED_HOME = "/platform/dashboard/jira";

/**
 * Redirects signed-in users away from the pages below `/auth` (spec ). E-mailed links and the legal pages
 * stay available to them.
 */
export function loader({ context, request }: LoaderFunctionArgs) {
  const { clock, settings } = context.services;
  const isRestricted = settings.RESTRICTED_MODE === "on";
  const { pathname } = new URL(request.url);
  if (context.member && /^\/auth(\/|$)/.test(pathname)) {
    throw redirect(isRestricted ? RESTRICTED_HOME : "/");
  }
  const isEmbedded = isRestricted || settings.FRAME !== undefined;
  return { year: new Date(clock.now()).getUTCFullYear(), isEmbedded };
}

/** The centred card of the pages without sign-in: logo, ribbon of days, page, footer. */
export default function AuthLayout() {
  const { year, isEmbedded } = useLoaderData<typeof loader>();
  return (
    <div className="auth">
      <main className="auth__card">
        <Link to="/" aria-label={copy.home}>
          <Brand />
        </Link>
        <AuthRibbon label={authRibbonLabel} />
        <Outlet />
      </main>
      <footer className="auth__foot">
        <span>{copy.copyright(year)}</span>
        {!isEmbedded && (
          <nav aria-label={copy.label}>
            <Link to="/terms">{copy.terms}</Link>
            <Link to="/privacy">{copy.privacy}</Link>
            <Link to="/sla">{copy.sla}</Link>
          </nav>
        )}
      </footer>
      <Toaster />
    </div>
  );
}

export function ErrorBoundary() {
  return (
    <main className="main" style={{ maxWidth: 760, margin: "0 auto" }}>
      <PageFailure />
    </main>
  );
}
