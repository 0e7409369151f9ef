import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { Outlet, useLoaderData } from "@remix-run/react";
import { Brand } from "#app/components/brand.tsx";
import { Toaster } from "#app/components/toaster.tsx";
import { authFooterCopy, authRibbonLabel } from "#app/copy/auth.ts";
import { AuthRibbon } from "./auth-ribbon.tsx";

/** Whoever is signed in has no business here (spec A-069). */
export function loader({ context }: LoaderFunctionArgs) {
  if (context.member) throw redirect("/");
  return { year: new Date(context.services.clock.now()).getUTCFullYear() };
}

export default function AuthLayout() {
  const { year } = useLoaderData<typeof loader>();
  return (
    <div className="auth">
      <main className="auth__card">
        <Brand />
        <AuthRibbon label={authRibbonLabel} />
        <Outlet />
      </main>
      <footer className="auth__foot">
        <span>{authFooterCopy(year)}</span>
      </footer>
      <Toaster />
    </div>
  );
}
