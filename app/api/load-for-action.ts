import { failureCopy } from "#app/copy/shared.ts";
import { loadOnce } from "#app/load-once.ts";
import { ApiError, reportFailure } from "./transport.ts";

/** The code of a failed load. The server never sends it. */
export const SCRIPT_MISSING = "err.script.missing";

/**
 * Loads a module that an action needs, as `loadOnce` does. If the load fails, because the connection is lost or a deployment
 * has replaced the file, one popup reports it, however many callers wait.
 *
 * @returns a function that rejects with an `ApiError` when the module cannot be loaded
 */
export function loadForAction<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return loadOnce(() =>
    load().catch((cause: unknown) => {
      const failure = new ApiError(failureCopy.script, { code: SCRIPT_MISSING, status: 0 });
      throw reportFailure(Object.assign(failure, { cause }));
    }),
  );
}
