import { parseWithZod } from "@conform-to/zod/v4";
import { type AppLoadContext, redirect } from "@remix-run/cloudflare";
import { cookieHeaders } from "#app/session/cookie-headers.ts";
import { orRefusal } from "#app/session/refusal.server.ts";
import { signUp } from "#core/accounts/index.ts";
import { signUpFormSchema } from "./form.schema.ts";

/** Makes the account and goes on to connecting the first platform. */
export async function createAccount(context: AppLoadContext, request: Request) {
  const submission = parseWithZod(await request.formData(), { schema: signUpFormSchema });
  if (submission.status !== "success") return { form: submission.reply(), refusal: null };
  const { firstName, lastName, email, password } = submission.value;
  const account = { name: `${firstName} ${lastName}`, email, password };
  const answer = await orRefusal(context, () => signUp(context.services, account));
  if (!answer.ok) return { form: submission.reply({ hideFields: ["password"] }), refusal: answer.message };
  throw redirect("/app-connector", { headers: cookieHeaders(answer.value.setCookie) });
}
