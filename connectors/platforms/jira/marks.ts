import { z } from "zod";
import type { ItemMarks, ItemSubject } from "#connectors/contract/item-marks.ts";
import { accessMarks } from "#connectors/toolkit/access-marks.ts";

/** Jira's types of project, and the short names of the spec (P-150 to P-153). */
const TYPES: Readonly<Record<string, { label: string; meaning: string }>> = {
  service_desk: { label: "JSM", meaning: "Jira Service Management" },
  software: { label: "JS/C", meaning: "Jira Software (Cloud)" },
  business: { label: "JWM", meaning: "Jira Work Management" },
  product_discovery: { label: "JPD", meaning: "Jira Product Discovery" },
};

const detailsSchema = z.object({
  projectTypeKey: z.string().catch(""),
  isPrivate: z.boolean().catch(false),
});

/** A type whose projects cannot be backed up, and what lists say about it (spec P-286). */
const BLOCKED = { typeKey: "bug_tracking", reason: "Board type not applicable" } as const;

/** The type of a project, as the API names it; empty = unknown. */
export function projectTypeOf({ details }: Pick<ItemSubject, "details">): string {
  return detailsSchema.safeParse(details).data?.projectTypeKey ?? "";
}

/** Returns the marks of a project in lists: its product, and whether only its members see it. */
export function marksOf(project: ItemSubject): ItemMarks {
  const known = detailsSchema.safeParse(project.details).data;
  const type = TYPES[known?.projectTypeKey ?? ""];
  const access = known?.isPrivate ? accessMarks("private") : { tags: [], isOpen: known !== undefined };
  return {
    ...access,
    tags: [...(type === undefined ? [] : [type]), ...access.tags],
    ...(known?.projectTypeKey ? { typeKey: known.projectTypeKey } : {}),
    ...(known?.projectTypeKey === BLOCKED.typeKey ? { blocked: BLOCKED.reason } : {}),
  };
}
