import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { PlatformConnector, PlatformItem, Session } from "#connectors/contract/platform-connector.ts";
import { detailsSchema } from "./authorize.ts";
import { notionClient, paths } from "./client.ts";
import { userSchema } from "./payloads.ts";

/** The account's workspace, of which there is one. It has no places. */
export const inventory: Pick<PlatformConnector, "listPlaces" | "listItems" | "getItem"> = {
  listPlaces: async () => ({ items: [], total: 0, hasMore: false }),

  async listItems(session, { kind, name, page }) {
    refuseUnknownKind(kind);
    const item = await readWorkspace(session);
    const isWanted = item.name.toLowerCase().includes(name?.trim().toLowerCase() ?? "");
    const total = Number(isWanted);
    return { items: isWanted && page === 0 ? [item] : [], total, hasMore: false };
  },

  async getItem(session, { kind, externalId }) {
    refuseUnknownKind(kind);
    const item = await readWorkspace(session);
    if (item.externalId !== externalId)
      throw new ConnectorError("gone", "The connected account is not in this workspace.");
    return item;
  },
};

/** The workspace of the token, as its bot user states it (`GET /users/me`, recorded answers). */
async function readWorkspace(session: Session): Promise<PlatformItem> {
  const call = { method: "GET", path: paths.me, about: "your workspace" } as const;
  const { bot } = await notionClient(session).request(call, userSchema);
  const details = detailsSchema.safeParse(session.connectionDetails).data ?? null;
  const id = bot?.workspace_id ?? details?.workspaceId;
  if (id === undefined) throw new ConnectorError("malformed", "Notion does not name the workspace.");
  const name = bot?.workspace_name || details?.workspaceName || "Notion workspace";
  return {
    kind: "workspace",
    externalId: id,
    name,
    fullName: name,
    description: null,
    sizeHintBytes: null,
    details: {
      icon: details?.workspaceIcon ?? null,
      maxUploadBytes: bot?.workspace_limits?.max_file_upload_size_in_bytes ?? null,
    },
  };
}

function refuseUnknownKind(kind: string): void {
  if (kind !== "workspace")
    throw new ConnectorError("unsupported", `Notion has no items of the kind ${kind}.`);
}
