import { requestCloneUrl } from "#core/exports/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import type { Services } from "#workers/services.ts";
import { cloneFormSchema } from "./form.schema.ts";

/** Signs the address from which a version can be cloned. @throws AppError when the form or the version is not allowed */
export function cloneUrl(
  services: Services,
  member: Member,
  form: FormData,
): Promise<{ url: string; expiresAt: number }> {
  const asked = cloneFormSchema.safeParse(Object.fromEntries(form));
  if (!asked.success) throw new AppError("err.request.invalid");
  const { itemId, snapshotId } = asked.data;
  return requestCloneUrl(services, member, { itemId, snapshotId });
}
