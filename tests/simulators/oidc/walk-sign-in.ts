/** The person who signs in at the provider, by e-mail or subject. "cancel" aborts. */
export type Choice =
  | { email: string; name?: string; isVerified?: boolean; isHosted?: boolean }
  | { subject: string }
  | "cancel";

/**
 * Goes through the provider's pages as a browser does, from the product's authorisation URL. Returns the address that
 * the provider redirects to.
 */
export async function walkSignIn(authorizationUrl: string, choice: Choice): Promise<URL> {
  const origin = new URL(authorizationUrl).origin;
  const cookies = new Map<string, string>();
  const visit = async (url: string, init: RequestInit = {}): Promise<{ url: string; answer: Response }> => {
    const headers = new Headers(init.headers);
    headers.set("Cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    const answer = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = answer.headers.get("Location");
    if (location === null) return { url, answer };
    await answer.arrayBuffer();
    const next = new URL(location, url);
    return next.origin === origin ? visit(next.href) : { url: next.href, answer };
  };
  const shown = await visit(authorizationUrl);
  if (new URL(shown.url).origin !== origin) return new URL(shown.url);
  const text = await shown.answer.text();
  if (!text.includes("<form")) throw new Error(`The provider answered ${shown.answer.status}: ${text}`);
  const end = await visit(shown.url, { method: "POST", body: formOf(choice) });
  if (new URL(end.url).origin === origin) {
    throw new Error(`The provider kept the browser: ${end.answer.status} ${await end.answer.text()}`);
  }
  return new URL(end.url);
}

function formOf(choice: Choice): URLSearchParams {
  if (choice === "cancel") return new URLSearchParams({ decision: "cancel" });
  if ("subject" in choice) return new URLSearchParams({ decision: "continue", subject: choice.subject });
  const { email, name = "", isVerified = true, isHosted = false } = choice;
  return new URLSearchParams({
    decision: "continue",
    email,
    name,
    ...(isVerified ? { is_verified: "1" } : {}),
    ...(isHosted ? { is_hosted: "1" } : {}),
  });
}
