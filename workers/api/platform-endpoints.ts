import { dialectOf, type Endpoint, type EndpointTable } from "#connectors/contract/endpoints.ts";
import type { ConnectorOperation } from "#connectors/contract/operations.ts";
import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import type { PlatformRowFacts } from "#connectors/contract/row-facts.ts";
import type { Fields } from "./dialect.ts";
import { type Api, mountRoute } from "./mount-route.ts";
import type { CoreOperations } from "./operations.ts";
import { mountOwnOperations } from "./own-operations.ts";
import { type ApiKind, platformOperations } from "./platform-operations.ts";

/** The platform data that the API needs. */
export type ApiPlatform = {
  id: string;
  label: string;
  /** Item kinds. The first is the default for paths that name no kind. */
  kinds: readonly ApiKind[];
  endpoints: EndpointTable;
  /** Calls that only this platform has. */
  operations?: readonly ConnectorOperation[];
  /** Members that only this platform's rows have. */
  rowFacts?: PlatformRowFacts;
  /** Its versions have a scope. */
  hasScope?: boolean;
};

/** Converts a platform of the registry. */
export function apiPlatformOf({
  connector: { descriptor, operations, rowFacts },
  endpoints,
}: {
  connector: PlatformConnector;
  endpoints: EndpointTable;
}): ApiPlatform {
  const { id, label, itemKinds: kinds, supports } = descriptor;
  return { id, label, kinds, endpoints, operations, rowFacts, hasScope: supports.scope === true };
}

/** Mounts every platform's dialect and own operations under `/api/{platform}` (spec part 2 section 7). */
export function mountPlatforms(api: Api, core: CoreOperations, platforms: readonly ApiPlatform[]): void {
  for (const platform of platforms) {
    const { id, label, kinds, endpoints, operations: own = [] } = platform;
    const operations = platformOperations(core, platform);
    const dialect = dialectOf(endpoints);
    mountOwnOperations(api, core, {
      platform: id,
      label,
      operations: own,
      dialect: Object.keys(dialect),
    });
    for (const [line, endpoint] of Object.entries(dialect)) {
      const [method, path] = line.split(" ") as ["GET" | "POST" | "PUT" | "DELETE", string];
      const kind = endpoint.kind ?? kinds[0]?.id ?? "item";
      const lists = listsOf(endpoint, kind);
      const { input, handle, ...known } = operations[endpoint.does];
      const at = { platform: id, kind, isOfOneKind: endpoint.kind !== undefined };
      mountRoute(api, {
        method,
        path: `/${id}/${path}`,
        ...known,
        tag: label,
        input: typeof input === "function" ? input(Object.keys(lists)) : input,
        fields: { ...endpoint.fields, ...lists },
        answers: endpoint.answers ?? {},
        handle: (services, member, given) => handle(services, member, at, given),
      });
    }
  }
}

/** Wire names of the id lists by item kind. A path may serve one kind or several. */
function listsOf({ does, fields, lists }: Endpoint, kind: string): Fields {
  if (does !== "set-daily-backup") return {};
  return lists ?? { [kind]: fields?.itemIds ?? "itemIds" };
}
