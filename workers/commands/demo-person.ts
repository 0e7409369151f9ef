import { z } from "zod";

const envelope = z.object({
  status: z.string(),
  message: z.string().nullish(),
  code: z.union([z.string(), z.number()]).nullish(),
  result: z.unknown(),
});

/** An API error with its code. */
export class RefusedError extends Error {
  override name = "RefusedError";
  readonly code: string;
  constructor(path: string, code: string, message: string) {
    super(`${path}: ${message} (${code})`);
    this.code = code;
  }
}

/** A user with a browser: calls the API, submits forms, follows redirects, keeps cookies. */
export type Person = {
  /** Calls the API (or the identity service with `identity/…`) and validates the result. @throws RefusedError */
  call<T>(method: "GET" | "POST", path: string, schema: z.ZodType<T>, input?: object): Promise<T>;
  /** Submits a form and follows redirects. Returns the final page's URL and text. */
  submit(
    url: string,
    form: Readonly<Record<string, string>> | URLSearchParams,
  ): Promise<{ url: string; html: string }>;
};

/** Attempts of a GET while the runtime restarts, one per second. Repeating a GET is harmless. */
const MOST_ATTEMPTS = 30;

/** A new browser session on the product at this URL. */
export function createPerson(appUrl: string, signal: AbortSignal): Person {
  const cookies = new Map<string, string>();
  const send = async (url: string, init: RequestInit): Promise<Response> => {
    const isOurs = new URL(url).origin === new URL(appUrl).origin;
    const headers = new Headers(init.headers);
    if (isOurs && cookies.size > 0) {
      headers.set("Cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    }
    const response = await fetch(url, { ...init, headers, signal, redirect: "manual" });
    if (isOurs) for (const line of response.headers.getSetCookie()) keepCookie(cookies, line);
    return response;
  };
  return {
    async call(method, path, schema, input) {
      const query = new URLSearchParams(method === "GET" ? Object.entries(input ?? {}) : []);
      const base = path.startsWith("identity/") ? appUrl : `${appUrl}/api`;
      const url = `${base}/${path}${query.size > 0 ? `?${query}` : ""}`;
      const headers = { Origin: new URL(appUrl).origin, "Content-Type": "application/json" };
      const body = method === "GET" ? {} : { body: JSON.stringify(input ?? {}) };
      for (let attempt = 1; ; attempt++) {
        const response = await send(url, { method, headers, ...body }).catch((cause: unknown) => {
          if (method !== "GET" || signal.aborted || attempt === MOST_ATTEMPTS) throw cause;
          return null;
        });
        const answer = envelope.safeParse(await response?.json().catch(() => null));
        if (answer.success) {
          const { status, code, message, result } = answer.data;
          if (status !== "success") throw new RefusedError(path, String(code), message ?? "refused");
          return schema.parse(result);
        }
        if (method !== "GET" || attempt === MOST_ATTEMPTS) {
          throw new Error(`${path} answered ${response?.status} and no envelope.`);
        }
        await new Promise((settle) => setTimeout(settle, 1_000));
      }
    },
    async submit(url, form) {
      let response = await send(url, {
        method: "POST",
        headers: { Origin: new URL(url).origin },
        body: new URLSearchParams(form),
      });
      let at = url;
      for (let hop = 0; hop < 10 && response.status >= 300 && response.status < 400; hop++) {
        await response.arrayBuffer();
        at = new URL(response.headers.get("location") ?? "", at).href;
        response = await send(at, {});
      }
      const html = await response.text();
      if (!response.ok) throw new Error(`${at} answered ${response.status}.`);
      return { url: at, html };
    },
  };
}

const inbox = z.object({ messages: z.array(z.object({ text: z.string() })) });

/**
 * The two values of the confirmation link in the newest e-mail to the address. Waits until the e-mail arrives.
 * @throws Error when none arrives in time
 */
export async function waitForConfirmationLink(
  mailUrl: string,
  email: string,
  { patienceMs = 60_000, signal }: { patienceMs?: number; signal?: AbortSignal } = {},
): Promise<{ content: string; iv: string }> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const url = `${mailUrl}/messages?${new URLSearchParams({ to: email })}`;
    const answer = await fetch(url, signal ? { signal } : {});
    for (const { text } of inbox.parse(await answer.json()).messages) {
      const query = /\/verify-email\?(\S+)/.exec(text)?.[1];
      const values = new URLSearchParams(query);
      const [content, iv] = [values.get("content"), values.get("iv")];
      if (content && iv) return { content, iv };
    }
    if (Date.now() > deadline) throw new Error(`No confirmation e-mail for ${email} has come.`);
    await new Promise((settle) => setTimeout(settle, 250));
  }
}

function keepCookie(cookies: Map<string, string>, line: string): void {
  const [pair = "", ...attributes] = line.split(";");
  const at = pair.indexOf("=");
  const name = pair.slice(0, at).trim();
  if (attributes.some((each) => /^\s*max-age=0\s*$/i.test(each))) cookies.delete(name);
  else cookies.set(name, pair.slice(at + 1).trim());
}
