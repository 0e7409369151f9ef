import { AppError } from "#core/kernel/app-error.ts";
import { concatBytes } from "#core/kernel/crypto.ts";

/** Default limit of a request body. */
export const MAX_BODY_BYTES = 1_048_576;

/**
 * Reads a body up to the limit, whatever `Content-Length` says. An absent body is empty.
 * @throws AppError `err.request.too.large`
 */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get("Content-Length") ?? 0) > maxBytes)
    throw new AppError("err.request.too.large");
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (request.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBytes) throw new AppError("err.request.too.large");
    chunks.push(chunk);
  }
  return concatBytes(...chunks);
}
