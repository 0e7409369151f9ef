import { GitPackError } from "#connectors/toolkit/git/git-pack-error.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { VaultError } from "#core/vault/index.ts";

/**
 * Turns errors in stored bytes into an error with a sentence for people; the version's check reports the details.
 *
 * @throws AppError `err.version.unreadable`
 */
export async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof GitPackError) && !(cause instanceof VaultError)) throw cause;
    throw new AppError("err.version.unreadable", { cause });
  }
}
