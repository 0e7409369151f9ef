import type * as z from "zod/mini";
import type { SharedOperation } from "#connectors/contract/endpoints.ts";
import { type ApiPath, apiPaths } from "#connectors/registry/api-paths.generated.ts";
import { type ApiAnswer, type ApiCall, callApi, type ResultSchema } from "./call-api.ts";

/** What is shown when a restore fails without a sentence of its own (spec A-428). */
const RESTORE_FAILED = "Error on data restore. Try later";

/** Which of a platform's paths is meant. */
export type PlatformCall = { platform: string; does: SharedOperation; kind: string };

/**
 * Asks the platform's own path of a shared operation. `input` carries our field names; they go out under the names
 * of the platform's dialect, as a query for GET and as a JSON body otherwise.
 *
 * @throws {ApiError} as {@link callApi}; plain Error when the platform does not offer the operation.
 */
export function callPlatform<Schema extends ResultSchema = z.ZodMiniUnknown>(
  { platform, does, kind }: PlatformCall,
  input: Readonly<Record<string, unknown>>,
  options: Pick<ApiCall<Schema>, "schema" | "signal" | "fetch" | "isQuiet"> = {},
): Promise<ApiAnswer<z.output<Schema>>> {
  const endpoint = apiPaths[platform]?.[does]?.[kind];
  if (endpoint === undefined) throw new Error(`${platform} has no path to ${does} for a ${kind}.`);
  const wire = inDialect(endpoint, endpoint.sendsKind ? { ...input, kind } : input);
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

/** Renames our fields, at every depth, to what the platform's path calls them. */
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
