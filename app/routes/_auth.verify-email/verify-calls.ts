import * as z from "zod/mini";
import { ApiError, type callApi } from "#app/api/call-api.ts";
import { errorText } from "#app/api/error-text.ts";
import { verifyCopy as copy } from "#app/copy/auth.ts";

/** The two values of a confirmation link. */
export type Link = { iv: string; content: string };

/** The path after a confirmed e-mail (spec A-147). */
export const CONFIRMED_PATH = "/auth/login?isConfirmed=true";

const waitingSchema = z.object({
  kind: z.literal("password_needed"),
  email: z.string(),
  name: z.string(),
  family_name: z.string(),
});
/** A sign-up from another browser that still needs a password. */
export type Waiting = z.output<typeof waitingSchema>;

const answerSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("confirmed") }),
  waitingSchema,
]);

/** The outcome of a link. */
export type Verdict = z.output<typeof answerSchema> | { kind: "failed"; text: string };

/** Sends the link's values. Never throws (spec ). */
export async function verify(call: typeof callApi, link: Link): Promise<Verdict> {
  try {
    const { result } = await call("email-verification", {
      method: "POST",
      body: link,
      schema: answerSchema,
      isQuiet: true,
    });
    return result;
  } catch (cause) {
    const isShown = cause instanceof ApiError && cause.code !== "err.internal" && cause.message !== "";
    return { kind: "failed", text: isShown ? errorText(cause.message) : copy.somethingWrong };
  }
}
