import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { ConnectorOperation } from "#connectors/contract/operations.ts";
import { defineOperation } from "#connectors/contract/operations.ts";
import { views } from "./read/views.ts";
import { readScope } from "./scope.ts";

const id = z.string().min(1).max(200);
const scopeItem = z.object({
  id: z.string(),
  title: z.string(),
  object: z.enum(["page", "database"]),
  isCut: z.boolean(),
});

/** What a version covers, by title (spec P-385). */
const backupScope = defineOperation({
  method: "GET",
  path: "get-workspace-backup-scope",
  summary: "Titles of the pages and databases that a version holds",
  input: z.strictObject({
    workspaceId: id,
    workspaceVersionId: id,
    parentId: id.optional(),
    after: id.optional(),
  }),
  result: z.object({
    items: z.array(
      scopeItem.extend({
        children: z
          .array(z.looseObject(scopeItem.shape))
          .describe("What is below it, each with its own children, at every depth"),
      }),
    ),
    next: z.string().nullable(),
  }),
  isStateChanging: false,
  async handle({ openVersion }, { workspaceId, workspaceVersionId, parentId = null, after = null }) {
    const { snapshot } = await openVersion({ itemId: workspaceId, snapshotId: workspaceVersionId });
    const view = (await views(snapshot)).find((each) => each.kind === "pages");
    if (view?.kind !== "pages") throw new ConnectorError("gone", "The list of backup scope not available.");
    return await readScope(await view.open(), { parentId, after });
  },
});

/** Calls of the public API that only Notion has. */
export const operations: readonly ConnectorOperation[] = [backupScope];
