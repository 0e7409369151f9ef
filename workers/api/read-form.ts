import { AppError } from "#core/kernel/app-error.ts";
import { MAX_BODY_BYTES, readBytes } from "./read-body.ts";

const FORM_TYPES = ["application/x-www-form-urlencoded", "multipart/form-data"];

/**
 * Reads a form sent by one of our pages. `again` is the same request with its body unread.
 * @throws AppError `err.request.type`, `err.request.too.large`, `err.request.invalid`
 */
export async function readForm(request: Request): Promise<{ form: FormData; again: Request }> {
  const contentType = request.headers.get("Content-Type") ?? "";
  const type = contentType.split(";")[0]!.trim().toLowerCase();
  if (!FORM_TYPES.includes(type))
    throw new AppError("err.request.type", { message: `Send this form as ${FORM_TYPES.join(" or ")}.` });
  const { url, method, headers } = request;
  const body = await readBytes(request, MAX_BODY_BYTES);
  const again = new Request(url, { method, headers, body });
  try {
    const form = await new Response(body, { headers: { "Content-Type": contentType } }).formData();
    return { form, again };
  } catch (cause) {
    // The runtime throws a TypeError with varying messages for an invalid form body.
    if (!(cause instanceof TypeError)) throw cause;
    throw new AppError("err.request.invalid", { message: "This form is cut off or broken.", cause });
  }
}
