const MAX_NAME_BYTES = 200;

/**
 * A file name for old and new browsers alike (RFC 6266), always as a download. Letters that steer, such as those that
 * turn the direction of writing and so hide what a file is, are left out.
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
