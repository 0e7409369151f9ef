import { type ApiPath, apiPaths } from "#connectors/registry/api-paths.generated.ts";
import type { PlatformCalls } from "./calls.generated.ts";
import { type Answer, type CallOptions, type Request, request } from "./transport.ts";

/** The message when a restore fails without its own message (spec A-428). */
const RESTORE_FAILED = "Error on data restore. Try later";

/** An account of a platform. `connectionId` null = the only one, or the oldest. */
export type CalledAccount = { platform: string; connectionId: string | null };

/** An operation that platforms share. */
export type PlatformOperation = keyof PlatformCalls;

/** Selects a path of a platform and an account; no account = the only one, or the oldest. */
export type PlatformCall<Does extends PlatformOperation = PlatformOperation> = {
  platform: string;
  connectionId?: string | null;
  does: Does;
  kind: string;
};

/** What an operation sends, in our names. */
export type PlatformInputOf<Does extends PlatformOperation> = PlatformCalls[Does]["input"];

/** The `result` of a successful answer, in our names. */
export type PlatformResultOf<Does extends PlatformOperation> = PlatformCalls[Does]["result"];

/**
 * Calls the platform's own path of a shared operation, typed by its schemas. `input` uses our field names; they are
 * renamed to the platform's dialect and sent as a query (GET) or a JSON body.
 *
 * @throws {ApiError} like {@link callApi}; a plain Error when the platform does not offer the operation
 */
export async function callPlatform<Does extends PlatformOperation>(
  { platform, connectionId, does, kind }: PlatformCall<Does>,
  input: PlatformInputOf<Does>,
  options: CallOptions = {},
): Promise<Answer<PlatformResultOf<Does>, PlatformCalls[Does]["beside"]>> {
  const endpoint = apiPaths[platform]?.[does]?.[kind];
  if (endpoint === undefined) throw new Error(`${platform} has no path to ${does} for a ${kind}.`);
  const wire = inDialect(endpoint, {
    ...input,
    ...(endpoint.sendsKind ? { kind } : {}),
    ...(connectionId ? { connectionId } : {}),
  });
  const method = endpoint.method as Request["method"];
  const answer = await request(endpoint.path, {
    ...options,
    method,
    answers: endpoint.answers,
    ...(does === "restore-items" ? { fallback: options.fallback ?? RESTORE_FAILED } : {}),
    ...(method === "GET" ? { query: wire as Request["query"] } : { body: wire }),
  });
  return answer as Answer<PlatformResultOf<Does>, PlatformCalls[Does]["beside"]>;
}

/** True when the platform offers the operation for the kind. */
export function isOffered({ platform, does, kind }: PlatformCall): boolean {
  return apiPaths[platform]?.[does]?.[kind] !== undefined;
}

/** True when the operation's path has a name of its own for this field. */
export function hasField({ platform, does, kind }: PlatformCall, field: string): boolean {
  return Object.hasOwn(apiPaths[platform]?.[does]?.[kind]?.fields ?? {}, field);
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
