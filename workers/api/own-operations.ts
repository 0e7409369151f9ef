import { z } from "zod";
import type { ConnectorOperation } from "#connectors/contract/operations.ts";
import { invariant } from "#core/kernel/invariant.ts";
import { type Api, mountRoute } from "./mount-route.ts";
import type { CoreOperations } from "./operations.ts";
import { ASKS_PLATFORM, MANAGE } from "./platform-operation.ts";
import { READS_VERSION } from "./version-answers.ts";
import { accountField } from "./wire-fields.ts";

const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*$/;
/** Selects one of several connected accounts; added to the input of every operation. */
const scope = z.object({ connection_id: accountField });

/**
 * Mounts the operations that a connector declares, with the same checks as all other calls. Their inputs have the names
 * of the wire, so nothing is renamed.
 *
 * @param dialect The platform's other calls, `METHOD path`.
 * @throws InvariantError at start-up if a path is taken or not in kebab-case, or an input has a `connection_id`
 */
export function mountOwnOperations(
  api: Api,
  core: CoreOperations,
  {
    platform,
    label,
    operations,
    dialect,
  }: {
    platform: string;
    label: string;
    operations: readonly ConnectorOperation[];
    dialect: readonly string[];
  },
): void {
  const taken = new Set(dialect);
  for (const operation of operations) {
    const { method, path, summary, input, result, isStateChanging } = operation;
    const line = `${method} ${path}`;
    invariant(KEBAB_CASE.test(path), `${platform} declares a path in kebab-case: ${line}`);
    invariant(!taken.has(line), `${platform} declares a call once: ${line}`);
    invariant(!("connection_id" in input.shape), `${platform} leaves connection_id to the API: ${line}`);
    taken.add(line);
    mountRoute(api, {
      method,
      path: `/${platform}/${path}`,
      summary,
      tag: label,
      input: input.safeExtend(scope.shape),
      result,
      refuses: [...MANAGE, ...ASKS_PLATFORM, ...READS_VERSION],
      isStateChanging,
      handle: async (services, member, given) => {
        const { connection_id: connectionId, ...own } = given as z.output<typeof scope> &
          Record<string, unknown>;
        const order = { platform, connectionId, operation, input: own };
        const answer = await core.runOperation(services, member, order);
        return { result: await z.parseAsync(result, answer) };
      },
    });
  }
}
