import { z } from "zod";
import type { ConnectorOperation } from "#connectors/contract/operations.ts";
import { invariant } from "#core/kernel/invariant.ts";
import { type Api, mountRoute } from "./mount-route.ts";
import type { CoreOperations } from "./operations.ts";
import { ASKS_PLATFORM, MANAGE, USE } from "./platform-operation.ts";
import { READS_VERSION } from "./version-answers.ts";
import { accountField } from "./wire-fields.ts";

const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*$/;
/** Selects one of several connected accounts; added to the input of every operation. */
const scope = z.object({ connectionId: accountField });
const RIGHTS = { use: USE, manage: MANAGE };

/**
 * Mounts the operations that a connector declares, with the same checks as all other calls.
 *
 * @param dialect The platform's other calls, `METHOD path`.
 * @throws InvariantError at start-up if a path is taken or not in kebab-case
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
    const { method, path, summary, result, right, isStateChanging } = operation;
    const line = `${method} ${path}`;
    invariant(KEBAB_CASE.test(path), `${platform} declares a path in kebab-case: ${line}`);
    invariant(!taken.has(line), `${platform} declares a call once: ${line}`);
    taken.add(line);
    mountRoute(api, {
      method,
      path: `/${platform}/${path}`,
      summary,
      tag: label,
      input: operation.input.safeExtend(scope.shape),
      fields: { connectionId: "connection_id" },
      result,
      refuses: [...RIGHTS[right], ...ASKS_PLATFORM, ...READS_VERSION, "err.snapshot.not.restorable"],
      isStateChanging,
      handle: async (services, member, given) => {
        const { connectionId, ...input } = given as z.output<typeof scope> & Record<string, unknown>;
        const order = { platform, connectionId, operation, input };
        const answer = await core.runOperation(services, member, order);
        return { result: await z.parseAsync(result, answer) };
      },
    });
  }
}
