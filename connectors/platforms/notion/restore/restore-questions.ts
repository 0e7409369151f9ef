import { z } from "zod";
import type { RestoreOrder, Session } from "#connectors/contract/platform-connector.ts";
import type { RestoreQuestion } from "#connectors/contract/restore-question.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { notionClient, PAGE_SIZE, paths } from "../client.ts";
import { pageSchema } from "../payloads.ts";
import type { StoredPage } from "../records.ts";
import { ADDRESS, BY_ADDRESS, OWN_TABLE, TO } from "./answers.ts";
import { readPart } from "./part-of-workspace.ts";
import { titleOf } from "./property-values.ts";
import { plainText } from "./rich-text.ts";

const LONGEST_LABEL = 80;
const LONGEST_ADDRESS = 500;

/** What is asked before a part is restored into the workspace: the page or table that takes it. */
export async function restoreQuestions(
  session: Session,
  snapshot: SnapshotView,
  order: Omit<RestoreOrder, "answers">,
): Promise<readonly RestoreQuestion[]> {
  const part = await readPart(snapshot, order);
  if (part === null || order.target.kind === "new") return [];
  const isRow = part.type === "row";
  const pages = await newestPages(session);
  const table = { value: OWN_TABLE, label: "The table that it came from", help: "As a new row." };
  const address = { value: BY_ADDRESS, label: "Another page", help: "Write its address below." };
  return [
    {
      ...{ type: "choice", name: TO, label: "Where it goes", default: isRow ? OWN_TABLE : null },
      help: "It is added at the end; what is there does not change. The list has the pages that were edited last.",
      options: [...(isRow ? [table] : []), ...pages, address],
    },
    {
      ...{
        type: "text",
        name: ADDRESS,
        label: "Address of the page",
        maxLength: LONGEST_ADDRESS,
        default: "",
      },
      help: "Only for another page: copy its link in Notion.",
    },
  ];
}

const foundSchema = z.looseObject({ results: z.array(z.unknown()) });

/** The pages that were edited last. Rows of tables are left out, because there are so many. */
async function newestPages(session: Session): Promise<{ value: string; label: string }[]> {
  const client = notionClient(session);
  const { results } = await client.request(
    {
      ...{ method: "POST", path: paths.search, about: "the pages of the workspace", isRepeatable: true },
      body: {
        filter: { property: "object", value: "page" },
        sort: { timestamp: "last_edited_time", direction: "descending" },
        page_size: PAGE_SIZE,
      },
    },
    foundSchema,
  );
  return results.flatMap((result) => {
    const page = pageSchema.safeParse(result).data;
    if (page === undefined || page.in_trash || page.parent.type === "data_source_id") return [];
    const title = plainText(titleOf(page as unknown as StoredPage)) || "Untitled";
    return [{ value: page.id, label: [...title].slice(0, LONGEST_LABEL).join("") }];
  });
}
