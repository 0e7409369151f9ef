import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  type ShouldRevalidateFunction,
  useMatches,
  useRouteLoaderData,
} from "@remix-run/react";
import { type ReactNode, useEffect } from "react";
import { REPLACE_BLOCKED_STORAGE } from "./blocked-storage.ts";
import { BarePage } from "./components/bare-page.tsx";
import { PageFailure } from "./components/page-failure.tsx";
import { useHeadingFocus } from "./components/use-heading-focus.ts";
import { HOLD_ACTIONS, replayActions } from "./early-actions.ts";
import { frameViewOf } from "./embedding/frame-view.server.ts";
import { hostModeOf, useHostMode } from "./embedding/host-mode.ts";
import { useOutsideLinks } from "./embedding/open-outside.ts";
import { useNonce } from "./nonce.ts";
import { keepsOnSearchChange } from "./session/revalidation.ts";
import { SessionGuard } from "./session/session-guard.tsx";
import "./theme/index.css";
import { themeAttributes, themeOfCookie } from "./theme/theme.ts";

export function loader({ request, context }: LoaderFunctionArgs) {
  const { settings } = context.services;
  return {
    theme: themeOfCookie(request.headers.get("Cookie")),
    requestId: context.requestId,
    isRestricted: settings.RESTRICTED_MODE === "on",
    frame: frameViewOf(context),
    hostMode: hostModeOf(request.headers.get("Cookie")),
  };
}

export const meta: MetaFunction = () => [
  { title: "Holdfast" },
  { name: "description", content: "Backups of your work tools: proved, open, yours." },
];

export const shouldRevalidate: ShouldRevalidateFunction = keepsOnSearchChange;

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useNonce();
  const { theme = "DEFAULT", hostMode = null } = useRouteLoaderData<typeof loader>("root") ?? {};
  useEffect(() => void replayActions(), []);
  const isStatic = useMatches().some(({ handle }) => (handle as { isStatic?: true } | undefined)?.isStatic);
  return (
    <html lang="en" {...themeAttributes(theme, hostMode)}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {/* Placed before the styles, which block every script after them. */}
        {!isStatic && (
          <script
            nonce={nonce}
            suppressHydrationWarning
            // biome-ignore lint/security/noDangerouslySetInnerHtml: -- our own constants
            dangerouslySetInnerHTML={{ __html: `${REPLACE_BLOCKED_STORAGE}${HOLD_ACTIONS}` }}
          />
        )}
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        {!isStatic && (
          <>
            <ScrollRestoration nonce={nonce} />
            <Scripts nonce={nonce} />
          </>
        )}
      </body>
    </html>
  );
}

export default function Root() {
  useHeadingFocus();
  useHostMode();
  useOutsideLinks();
  return (
    <>
      <Outlet />
      <SessionGuard />
    </>
  );
}

export function ErrorBoundary() {
  return (
    <BarePage>
      <PageFailure />
    </BarePage>
  );
}
