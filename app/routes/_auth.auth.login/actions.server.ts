import { parseWithZod } from "@conform-to/zod/v4";
import { type AppLoadContext, redirect } from "@remix-run/cloudflare";
import { errorText } from "#app/api/error-text.ts";
import { cookieHeaders } from "#app/session/cookie-headers.ts";
import { orRefusal } from "#app/session/refusal.server.ts";
import { safeNext } from "#app/session/safe-next.ts";
import { signIn } from "#core/accounts/index.ts";
import { loginFormSchema } from "./form.schema.ts";
import type { SignInTrouble } from "./sign-in-calls.ts";

/** Opens a session and redirects to the requested page, or to the second factor. Errors are returned with the form. */
export async function logIn(context: AppLoadContext, request: Request) {
  const submission = parseWithZod(ownFields(await request.formData()), { schema: loginFormSchema });
  if (submission.status !== "success") return { form: submission.reply(), trouble: null };
  const { next, ...credentials } = submission.value;
  const answer = await orRefusal(context, () => signIn(context.services, credentials, request.headers));
  if (!answer.ok) {
    const trouble: SignInTrouble =
      answer.code === "err.credentials.unconfirmed"
        ? { kind: "unconfirmed", email: credentials.email }
        : {
            kind: answer.code === "err.credentials.wrong" ? "refused" : "later",
            text: errorText(answer.message),
          };
    return { form: submission.reply({ hideFields: ["password"] }), trouble };
  }
  const { kind, setCookie } = answer.value;
  const to = kind === "session" ? safeNext(next) : challengePath(next);
  throw redirect(to, { headers: cookieHeaders(setCookie) });
}

/** The form's own text fields. Further fields could carry commands for the form library, and files make it fail. */
function ownFields(form: FormData): FormData {
  const own = new FormData();
  for (const name of Object.keys(loginFormSchema.shape)) {
    const text = form.get(name);
    if (typeof text === "string") own.append(name, text);
  }
  return own;
}

function challengePath(next: string | undefined): string {
  return `/auth/login?${new URLSearchParams({ challenge: "1", ...(next ? { next } : {}) })}`;
}
