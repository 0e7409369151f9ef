const LONGEST = 100;

/** A name that is safe on every file system. Keeps the end of a long name, because it has the suffix. */
export function safeFileName(name: string): string {
  const safe = name
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}"*/:<>?\\|]+/gu, "_")
    .replace(/^[. ]+|(?<![. ])[. ]+$/g, "");
  const short = [...safe]
    .slice(-LONGEST)
    .join("")
    .replace(/^[. ]+/, "");
  return short === "" || /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(short) ? `file_${short}` : short;
}
