import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { orRefusal } from "#app/session/refusal.server.ts";
import { requireMember } from "#app/session/require-member.server.ts";
import { requestCloneUrl } from "#core/exports/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { cloneFormSchema } from "./form.schema.ts";

/** Signs the clone URL of a version, or returns why it cannot. */
export async function signCloneUrl({ context, request }: ActionFunctionArgs) {
  const member = requireMember(context, request);
  const asked = cloneFormSchema.safeParse(Object.fromEntries(await request.formData()));
  return orRefusal(context, async () => {
    if (!asked.success) throw new AppError("err.request.invalid");
    const { itemId, snapshotId } = asked.data;
    return requestCloneUrl(context.services, member, { itemId, snapshotId });
  });
}
