import type { ApiCalls } from "./calls.generated.ts";
import { type Answer, type CallOptions, type Request, request } from "./transport.ts";

export { ApiError } from "./transport.ts";

/** The method and path of one of the API's own calls, such as `GET user/get-cloud-storages`. */
export type ApiLine = keyof ApiCalls;

/** What a call sends, in the names of the wire. */
export type InputOf<Line extends ApiLine> = ApiCalls[Line]["input"];

/** The `result` of a successful answer. */
export type ResultOf<Line extends ApiLine> = ApiCalls[Line]["result"];

/** A successful answer of a call. */
export type AnswerOf<Line extends ApiLine> = Answer<ResultOf<Line>, ApiCalls[Line]["beside"]>;

/**
 * Calls the API. The types come from the schemas of the routes themselves, so a wrong path, a missing field or an
 * unknown member of the answer does not compile. The input is the query of a GET and the JSON body of other methods; a part
 * of the path such as `:id` takes its member.
 *
 * @throws {ApiError} when the answer is not `success`, is malformed, or the connection is lost
 */
export async function callApi<Line extends ApiLine>(
  line: Line,
  input: InputOf<Line>,
  options: CallOptions = {},
): Promise<AnswerOf<Line>> {
  const [method, path] = line.split(" ") as [Request["method"], string];
  const left: Record<string, unknown> = { ...input };
  const filled = path.replace(/:(\w+)/g, (_part, name: string) => {
    const value = encodeURIComponent(String(left[name]));
    delete left[name];
    return value;
  });
  const sent = method === "GET" ? { query: left as Request["query"] } : { body: left };
  return (await request(filled, { ...options, method, ...sent })) as AnswerOf<Line>;
}

/** The type of `callApi`, for functions that take it as a parameter. */
export type CallApi = typeof callApi;

/**
 * Asks the payment provider where a platform's subscription stands, and answers its new state (spec B-239). The call has
 * a path for each platform, so it has no line of its own; its answer is a row of the call for all platforms.
 */
export async function refreshPlatformStatus(
  platform: string,
): Promise<ResultOf<"GET payments/get-platforms-trial-statuses">[string]> {
  const path = `payments/get-${platform}-trial-status`;
  const { result } = await request(path, { method: "POST", body: {}, isQuiet: true });
  return result as ResultOf<"GET payments/get-platforms-trial-statuses">[string];
}
