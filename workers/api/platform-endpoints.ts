import type { EndpointTable } from "#connectors/contract/endpoints.ts";
import { type Api, mountRoute } from "./mount-route.ts";
import type { CoreOperations } from "./operations.ts";
import { platformOperations } from "./platform-operations.ts";

/** What the API needs to know of a platform. */
export type ApiPlatform = {
  id: string;
  label: string;
  /** The kind that a path without one speaks of. */
  defaultKind: string;
  endpoints: EndpointTable;
};

/** Mounts every platform's dialect under `/api/{platform}` (spec part 2 section 7). */
export function mountPlatforms(api: Api, core: CoreOperations, platforms: readonly ApiPlatform[]): void {
  const operations = platformOperations(core);
  for (const { id, label, defaultKind, endpoints } of platforms) {
    for (const [line, endpoint] of Object.entries(endpoints)) {
      const [method, path] = line.split(" ") as ["GET" | "POST" | "PUT" | "DELETE", string];
      const { summary, input, isStateChanging, handle } = operations[endpoint.does];
      const at = { platform: id, kind: endpoint.kind ?? defaultKind };
      mountRoute(api, {
        method,
        path: `/${id}/${path}`,
        summary,
        tag: label,
        input,
        fields: endpoint.fields ?? {},
        isStateChanging,
        handle: (services, member, given) => handle(services, member, at, given),
      });
    }
  }
}
