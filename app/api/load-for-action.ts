import { loadOnce } from "#app/load-once.ts";
import { ApiError, reportFailure } from "./transport.ts";

/** The code of such a failure. The server does not know it. */
export const SCRIPT_MISSING = "err.script.missing";
const TEXT = "Part of the page could not be loaded. Check your connection, then reload the page";

/**
 * Loads a module that an action needs, as `loadOnce` does. When it cannot be loaded, because the connection is lost or a
 * deployment has replaced it, the page says so, once for all that wait for it.
 *
 * @returns a function that rejects with an `ApiError` when the module cannot be loaded
 */
export function loadForAction<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return loadOnce(() =>
    load().catch((cause: unknown) => {
      const failure = new ApiError(TEXT, { code: SCRIPT_MISSING, status: 0 });
      throw reportFailure(Object.assign(failure, { cause }));
    }),
  );
}
