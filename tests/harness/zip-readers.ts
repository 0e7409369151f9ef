import { findProgram, installPackages } from "#workers/commands/find-program.ts";

/** Independent programs that check our ZIP files, and their Debian packages. */
const READERS = { unzip: "unzip", python3: "python3", bsdtar: "libarchive-tools" };

/** Installs missing readers if permitted. Returns a sentence about what is missing, or null. */
export async function ensureZipReaders(): Promise<string | null> {
  const missing = () => Object.entries(READERS).filter(([program]) => findProgram([program]) === null);
  const wanted = missing();
  if (wanted.length === 0) return null;
  const complaint = await installPackages(wanted.map(([, name]) => name));
  const left = missing().map(([program, name]) => `${program} (Debian's package ${name})`);
  return left.length === 0 ? null : `Missing: ${left.join(", ")}.\n${complaint ?? ""}`;
}
