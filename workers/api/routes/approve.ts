import type { Context, Next } from "hono";
import type { ApiEnv } from "../api-env.ts";
import { connectRedirectUri } from "../connect-redirect-uri.ts";

/** The path suffix after the platform's id. */
const PAGE_SUFFIX = "-approve-hidden";

/**
 * GET /{platform}-approve-hidden?state — the return URL of a platform's token page. The token is in the fragment, which
 * servers do not see. The page removes it from the URL at once and submits it as a form. Only for platforms with
 * manually issued tokens.
 */
export function approvePage() {
  return async (c: Context<ApiEnv>, next: Next) => {
    const platform = c.req.path.slice(1, -PAGE_SUFFIX.length);
    const connector = c.var.services.connectors.get(platform);
    if (connector?.authoriser.readToken === undefined) return await next();
    const { label } = connector.descriptor;
    const action = new URL(connectRedirectUri(c.var.services.settings.PUBLIC_URL, platform)).pathname;
    return c.html(pageOf({ label, action, nonce: c.var.nonce, state: c.req.query("state") ?? "" }));
  };
}

/**
 * GET /{stage}/{platform}/login-{platform}-callback — the legacy OAuth callback. Forwards its parameters to the current
 * callback. Without parameters, it redirects to the platform's item list (spec A-059).
 */
export function oldCallback() {
  return async (c: Context<ApiEnv, "/:stage/:platform/:callback">, next: Next) => {
    const { platform, callback } = c.req.param();
    if (callback !== `login-${platform}-callback` || !c.var.services.connectors.has(platform))
      return await next();
    const { code, state, error } = c.req.query();
    if (!code && !error) return c.redirect(`/platform/dashboard/${platform}`);
    const received = Object.entries({ code, state, error }).filter(
      (pair): pair is [string, string] => !!pair[1],
    );
    return c.redirect(`/connect/${platform}/callback?${new URLSearchParams(received)}`);
  };
}

type PageFacts = { label: string; action: string; nonce: string; state: string };

function pageOf({ label, action, nonce, state }: PageFacts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Connecting ${escapeHtml(label)} · Holdfast</title>
<style>body{font:16px/1.5 system-ui,sans-serif;display:grid;place-items:center;min-height:90vh;color-scheme:light dark;margin:16px}</style>
</head>
<body>
<main>
<h1>Connecting ${escapeHtml(label)}</h1>
<p id="said" role="status">This page ends connecting ${escapeHtml(label)}. Begin in Holdfast: <a href="/app-connector">connect an app</a>.</p>
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="state" value="${escapeHtml(state)}">
<input type="hidden" name="code">
<input type="hidden" name="error">
</form>
</main>
<script nonce="${escapeHtml(nonce)}">
(function () {
  var brought = new URLSearchParams(location.hash.slice(1));
  var token = brought.get("token");
  var error = brought.get("error");
  history.replaceState(null, "", location.pathname);
  if (!token && !error) return;
  var form = document.forms[0];
  form.elements.code.value = token || "";
  form.elements.error.value = error || "";
  document.getElementById("said").textContent = "One moment, please.";
  form.submit();
})();
</script>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
