import { z } from "zod";
import type { ItemMarks, ItemSubject } from "#connectors/contract/item-marks.ts";
import { accessMarks } from "#connectors/toolkit/access-marks.ts";

/** GitHub's visibilities of a repository. A secret gist counts as private. */
export type Visibility = "private" | "public" | "internal";

const repositoryDetails = z.object({ visibility: z.enum(["private", "public", "internal"]) });
const gistDetails = z.object({ record: z.object({ public: z.boolean() }) });

/** Returns the visibility of an item; private if it is unknown. */
export function visibilityOfItem({ kind, details }: ItemSubject): Visibility {
  if (kind === "gist") {
    const gist = gistDetails.safeParse(details);
    return gist.success && gist.data.record.public ? "public" : "private";
  }
  const repository = repositoryDetails.safeParse(details);
  return repository.success ? repository.data.visibility : "private";
}

/** Returns the marks of an item in lists. */
export function marksOf(item: ItemSubject): ItemMarks {
  return accessMarks(visibilityOfItem(item));
}
