import { parseWithZod } from "@conform-to/zod/v4";
import { type AppLoadContext, redirect } from "@remix-run/cloudflare";
import { cookieHeaders } from "#app/session/cookie-headers.ts";
import { orRefusal } from "#app/session/refusal.server.ts";
import { safeNext } from "#app/session/safe-next.ts";
import { signIn } from "#core/accounts/index.ts";
import { loginFormSchema } from "./form.schema.ts";

/** Opens a session and goes where the visitor wanted to; a refusal comes back with the form. */
export async function logIn(context: AppLoadContext, request: Request) {
  const submission = parseWithZod(await request.formData(), { schema: loginFormSchema });
  if (submission.status !== "success") return { form: submission.reply(), refusal: null };
  const { next, ...credentials } = submission.value;
  const answer = await orRefusal(context, () => signIn(context.services, credentials));
  if (!answer.ok) return { form: submission.reply({ hideFields: ["password"] }), refusal: answer.message };
  throw redirect(safeNext(next), { headers: cookieHeaders(answer.value.setCookie) });
}
