const MAX_NAME_BYTES = 200;

/**
 * A `Content-Disposition` header that always downloads, for old and new browsers (RFC 6266). Replaces control and
 * format characters, such as bidirectional overrides that could disguise a file's extension.
 */
export function contentDisposition(name: string): string {
  const sound = name.toWellFormed().replace(/[\p{Cc}\p{Cf}/\\]/gu, "_");
  const plain = sound.replace(/[^\w.-]/g, "_").slice(-MAX_NAME_BYTES);
  const whole = encodeURIComponent([...sound].slice(-MAX_NAME_BYTES).join("")).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}
