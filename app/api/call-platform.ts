import type * as z from "zod/mini";
import type { SharedOperation } from "#connectors/contract/endpoints.ts";
import { type ApiPath, apiPaths } from "#connectors/registry/api-paths.generated.ts";
import { type ApiAnswer, type ApiCall, callApi, type ResultSchema } from "./call-api.ts";

/** The message when a restore fails without its own message (spec A-428). */
const RESTORE_FAILED = "Error on data restore. Try later";

/** An account of a platform. `connectionId` null = the only one, or the oldest. */
export type CalledAccount = { platform: string; connectionId: string | null };

/** Selects a path of a platform and an account; no account = the only one, or the oldest. */
export type PlatformCall = {
  platform: string;
  connectionId?: string | null;
  does: SharedOperation;
  kind: string;
};

/**
 * Calls the platform's own path of a shared operation. `input` uses our field names; they are renamed to the platform's
 * dialect and sent as a query (GET) or a JSON body.
 *
 * @throws {ApiError} like {@link callApi}; a plain Error when the platform does not offer the operation
 */
export function callPlatform<Schema extends ResultSchema = z.ZodMiniUnknown>(
  { platform, connectionId, does, kind }: PlatformCall,
  input: Readonly<Record<string, unknown>>,
  options: Pick<ApiCall<Schema>, "schema" | "signal" | "fetch" | "isQuiet"> = {},
): Promise<ApiAnswer<z.output<Schema>>> {
  const endpoint = apiPaths[platform]?.[does]?.[kind];
  if (endpoint === undefined) throw new Error(`${platform} has no path to ${does} for a ${kind}.`);
  const wire = inDialect(endpoint, {
    ...input,
    ...(endpoint.sendsKind ? { kind } : {}),
    ...(connectionId ? { connectionId } : {}),
  });
  const method = endpoint.method as "GET" | "POST" | "PUT" | "DELETE";
  return callApi(endpoint.path, {
    ...options,
    method,
    answers: endpoint.answers,
    ...(does === "restore-items" ? { fallback: RESTORE_FAILED } : {}),
    ...(method === "GET" ? { query: wire as Record<string, string> } : { body: wire }),
  });
}

/** True when the platform offers the operation for the kind. */
export function isOffered({ platform, does, kind }: PlatformCall): boolean {
  return apiPaths[platform]?.[does]?.[kind] !== undefined;
}

/** Renames our fields, at every depth, to the names of the platform's path. */
export function inDialect({ fields }: Pick<ApiPath, "fields">, input: unknown): unknown {
  if (Array.isArray(input)) return input.map((value) => inDialect({ fields }, value));
  if (input === null || typeof input !== "object") return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      Object.hasOwn(fields, name) ? fields[name] : name,
      inDialect({ fields }, value),
    ]),
  );
}
