import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Outlet, type ShouldRevalidateFunction, useLoaderData } from "@remix-run/react";
import { useState } from "react";
import { PageFailure } from "#app/components/page-failure.tsx";
import { Toaster } from "#app/components/toaster.tsx";
import { shellCopy } from "#app/copy/shell.ts";
import { LiveProvider } from "#app/live/use-live-events.tsx";
import { keepsOnSearchChange } from "#app/session/revalidation.ts";
import { Sidebar } from "#app/shell/sidebar.tsx";
import { TopBar } from "#app/shell/top-bar.tsx";
import { useRailShortcut } from "#app/shell/use-rail-shortcut.ts";
import { shellOf } from "./queries.server.ts";

export const loader = ({ context, request }: LoaderFunctionArgs) => shellOf(context, request);

export const shouldRevalidate: ShouldRevalidateFunction = keepsOnSearchChange;

export default function AppLayout() {
  const shell = useLoaderData<typeof loader>();
  const [isCollapsed, setIsCollapsed] = useState(shell.isCollapsed);
  const fold = (next: boolean) => {
    // biome-ignore lint/suspicious/noDocumentCookie: -- the Cookie Store API is not everywhere yet
    document.cookie = `rail=${next ? "min" : "max"}; Path=/; Max-Age=31536000; SameSite=Lax`;
    setIsCollapsed(next);
  };
  useRailShortcut(() => fold(!isCollapsed));
  const hasRail = shell.platforms.length > 0;
  const look = [!hasRail && "is-bare", isCollapsed && "is-collapsed"].filter(Boolean).join(" ");
  return (
    <LiveProvider sub={shell.member.userId}>
      <a className="skip-link" href="#main">
        {shellCopy.skip}
      </a>
      <div className={`app-shell ${look}`}>
        <TopBar shell={shell} hasRail={hasRail} />
        {hasRail && <Sidebar shell={shell} isCollapsed={isCollapsed} onFold={fold} />}
        <main id="main" className="main" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <Toaster />
    </LiveProvider>
  );
}

export function ErrorBoundary() {
  return (
    <main className="main" style={{ maxWidth: 760, margin: "0 auto" }}>
      <PageFailure />
    </main>
  );
}
