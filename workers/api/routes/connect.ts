import type { Context } from "hono";
import { z } from "zod";
import { AppError } from "#core/kernel/app-error.ts";
import type { ApiEnv } from "../api-env.ts";
import { connectRedirectUri } from "../connect-redirect-uri.ts";
import { assertOwnForm } from "../middleware/origin.ts";
import { noticeQuery } from "../notice-query.ts";
import type { CoreOperations } from "../operations.ts";
import { readForm } from "../read-form.ts";

/**
 * GET /connect/{platform}/callback?code&state — completes an authorisation. The platform redirects to it, so the
 * single-use state, bound to the person, authenticates the request. The wizard shows errors, and the choice among
 * several accounts.
 *
 * POST does the same for a form on our own page (see `approve.ts`): a token, unlike a code, must not appear in a URL.
 */
export function connectCallback(
  core: Pick<CoreOperations, "completeAuthorisation" | "declineAuthorisation" | "listConnections">,
) {
  return async (c: Context<ApiEnv, "/connect/:platform/callback">): Promise<Response> => {
    c.set("isWrite", true);
    const { services, member } = c.var;
    const platform = c.req.param("platform");
    if (!services.connectors.has(platform)) throw new AppError("err.platform.unknown");
    if (!member) return c.redirect("/auth/login");
    const account: { account?: string } = {};
    try {
      const { code, state, error } = await callbackOf(c);
      if (error) {
        if (state) await core.declineAuthorisation(services, member, { platform, state });
        throw new AppError("err.connection.denied");
      }
      if (!code || !state) throw new AppError("err.connection.state");
      const redirectUri = connectRedirectUri(services.settings.PUBLIC_URL, platform);
      const order = { platform, state, code, redirectUri };
      const completed = await core.completeAuthorisation(services, member, order);
      if (completed.kind === "choice") {
        const asked = { platform, choice: completed.choiceId };
        return c.redirect(`/app-connector?${new URLSearchParams(asked)}`);
      }
      const { id, isConfirmed } = completed.connections[0]!;
      if ((await core.listConnections(services, member, { platform })).length > 1) account.account = id;
      if (!isConfirmed) {
        const query = { platform, ...account, githubConfirmStatus: "pending" };
        return c.redirect(`/app-connector?${new URLSearchParams(query)}`);
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // When the platform's app is missing, the wizard offers to install it.
      const where: Record<string, string> =
        error.code === "err.app.missing" ? { platform, error_code: error.code } : {};
      const notice = await noticeQuery(services, member, error);
      const query = { ...where, ...notice, error_platform: platform };
      return c.redirect(`/app-connector?${new URLSearchParams(query)}`);
    }
    const query = new URLSearchParams(account).toString();
    return c.redirect(`/platform/dashboard/${platform}${query === "" ? "" : `?${query}`}`);
  };
}

const callbackSchema = z.object({
  code: z.string().max(4_096).optional(),
  state: z.string().max(200).optional(),
  error: z.string().max(4_096).optional(),
});

async function callbackOf(c: Context<ApiEnv>): Promise<z.output<typeof callbackSchema>> {
  if (c.req.method !== "POST") return c.req.query();
  assertOwnForm(c);
  return callbackSchema.catch({}).parse(Object.fromEntries((await readForm(c.req.raw)).form));
}
