import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Outlet, type ShouldRevalidateFunction, useLoaderData, useNavigate } from "@remix-run/react";
import { useEffect, useState } from "react";
import { ServerData } from "#app/api/server-data.tsx";
import { BarePage } from "#app/components/bare-page.tsx";
import { Brand } from "#app/components/brand.tsx";
import { lazyWhenOpen } from "#app/components/lazy-when-open.tsx";
import { PageFailure } from "#app/components/page-failure.tsx";
import { moveBetweenRows } from "#app/components/row-keys.ts";
import { Toaster } from "#app/components/toaster.tsx";
import { shellCopy } from "#app/copy/shell.ts";
import { FrameNotice } from "#app/embedding/frame-notice.tsx";
import { LiveProvider } from "#app/live/use-live-events.tsx";
import type { PaletteProps } from "#app/palette/palette.tsx";
import { useTypedAhead } from "#app/palette/use-typed-ahead.ts";
import { storeCookie } from "#app/session/browser-cookie.ts";
import { InactivityDialog } from "#app/session/inactivity-dialog.tsx";
import { keepsOnSearchChange } from "#app/session/revalidation.ts";
import { useInactivity } from "#app/session/use-inactivity.ts";
import { BannerStack } from "#app/shell/banner-stack.tsx";
import { Sidebar } from "#app/shell/sidebar.tsx";
import { TopBar } from "#app/shell/top-bar.tsx";
import { focusSearch, useShortcuts } from "#app/shell/use-shortcuts.ts";
import { shellOf } from "./queries.server.ts";

/** Loaded when the palette or the list of shortcuts is opened. */
const loadPalette = () => import("#app/palette/palette.tsx");
const Palette = lazyWhenOpen<PaletteProps>(loadPalette);
const KeysDialog = lazyWhenOpen(() => import("#app/shell/keys-dialog.tsx"));

/** Loaded after the page, and only when a trial or subscription has ended. */
const BuyDialog = lazyWhenOpen(() => import("#app/shell/buy-dialog.tsx"));

export const loader = ({ context, request }: LoaderFunctionArgs) => shellOf(context, request);

export const shouldRevalidate: ShouldRevalidateFunction = keepsOnSearchChange;

export default function AppLayout() {
  const shell = useLoaderData<typeof loader>();
  const { state, stay } = useInactivity(shell.member.userId, shell);
  const [isBuying, setIsBuying] = useState(false);
  useEffect(() => setIsBuying(shell.buyPrompt !== null), [shell.buyPrompt]);
  const [isCollapsed, setIsCollapsed] = useState(shell.isCollapsed);
  const fold = (next: boolean) => {
    storeCookie({ name: "rail", value: next ? "min" : "max" });
    setIsCollapsed(next);
  };
  const [open, setOpen] = useState<"palette" | "keys" | null>(null);
  const typedAhead = useTypedAhead(open === "palette");
  const navigate = useNavigate();
  const hasRail = shell.hadEverAnySubscriptions;
  useShortcuts(shell, (shortcut) => {
    // What opens may still be loading. Keys that are meant for it must not act on the page.
    if (open !== null) return;
    if (shortcut.does === "go") return navigate(shortcut.to);
    if (shortcut.does === "keys") return setOpen("keys");
    if (!hasRail) return;
    if (shortcut.does === "rail") return fold(!isCollapsed);
    if (shortcut.does === "palette" || !focusSearch()) setOpen("palette");
  });
  /* Hide everything of the session while it ends, dialogs included (spec A-290). */
  if (state.kind === "ended") return <SigningOut />;
  const look = [!hasRail && "is-bare", isCollapsed && "is-collapsed"].filter(Boolean).join(" ");
  return (
    <ServerData>
      <LiveProvider sub={shell.member.userId} readAt={shell.now}>
        <a className="skip-link" href="#main">
          {shellCopy.skip}
        </a>
        <div className={`app-shell ${look}`}>
          <TopBar
            shell={shell}
            hasRail={hasRail}
            onSearch={() => setOpen("palette")}
            onSearchNear={() => void loadPalette()}
          />
          {hasRail && <Sidebar shell={shell} isCollapsed={isCollapsed} onFold={fold} />}
          <main id="main" className="main" tabIndex={-1} onKeyDown={moveBetweenRows}>
            <FrameNotice />
            <BannerStack shell={shell} />
            <Outlet />
          </main>
        </div>
        <BuyDialog isOpen={isBuying} prompt={shell.buyPrompt} />
        <Palette
          isOpen={open === "palette"}
          onClose={() => setOpen(null)}
          onShortcuts={() => setOpen("keys")}
          typedAhead={typedAhead}
          shell={shell}
        />
        <KeysDialog isOpen={open === "keys"} onClose={() => setOpen(null)} shell={shell} />
        <InactivityDialog state={state} onStay={stay} />
        <Toaster />
      </LiveProvider>
    </ServerData>
  );
}

function SigningOut() {
  return (
    <main className="bare-page" aria-busy="true">
      <Brand />
      <p className="soft" role="status">
        {shellCopy.signingOut}
      </p>
    </main>
  );
}

export function ErrorBoundary() {
  return (
    <BarePage>
      <PageFailure />
    </BarePage>
  );
}
