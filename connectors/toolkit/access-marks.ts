import type { ItemMarks } from "#connectors/contract/item-marks.ts";

/** Who may see an item: invited people, everybody in its workspace, everybody in its organisation, or everybody. */
export type Access = "private" | "workspace" | "internal" | "public";

/** The suffixes of the spec (P-147 to P-149): boards have workspaces, repositories and projects organisations. */
const MARKS: Readonly<Record<Access, ItemMarks>> = {
  private: { tags: [{ label: "PVT", meaning: "Private" }], isOpen: false },
  workspace: { tags: [{ label: "WKS", meaning: "Open to everybody in the workspace" }], isOpen: true },
  internal: {
    tags: [{ label: "WRK/ORG", meaning: "Internal: open to everybody in the organisation" }],
    isOpen: true,
  },
  public: { tags: [{ label: "PBC", meaning: "Public" }], isOpen: true },
};

/** Returns the marks that show who may see an item. */
export function accessMarks(access: Access): ItemMarks {
  return MARKS[access];
}
