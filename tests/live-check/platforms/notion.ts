import { type Json, type LiveCheck, must, type Scratch, scratchName, sender } from "../live-check.ts";

const paragraph = (content: string) => ({
  type: "paragraph",
  paragraph: { rich_text: [{ type: "text", text: { content } }] },
});

/** Questions that a page below a shared one answers. */
export const notion: LiveCheck = {
  label: "Notion",
  variables: {
    LIVE_NOTION_TOKEN: "a token of a connection that may read, update and insert content",
    LIVE_NOTION_PAGE: "the id of a page that the connection may reach",
  },
  defaults: { NOTION_API_URL: "https://api.notion.com" },
  async open({ NOTION_API_URL, LIVE_NOTION_TOKEN, LIVE_NOTION_PAGE }) {
    const send = sender(`${NOTION_API_URL}/v1`, {
      authorization: `Bearer ${LIVE_NOTION_TOKEN}`,
      "notion-version": "2025-09-03",
    });
    const made = must(await send("POST", "/pages", pageBelow(LIVE_NOTION_PAGE, scratchName())), "the page");
    const item = `/pages/${made.id}`;
    return {
      send,
      item,
      close: async () => void must(await send("PATCH", item, { in_trash: true }), made.url),
    };
  },
  questions: [
    {
      question: "Does a new page stand behind all blocks of the page above?",
      belief: "paragraph, child_page",
      source: "the simulator",
      ask: async (scratch) => {
        const page = await newPage(scratch, "Order");
        must(await append(scratch, page, [paragraph("One")]), "a block");
        must(await scratch.send("POST", "/pages", pageBelow(page, "Below")), "a page");
        return (await childrenOf(scratch, page)).map(({ type }) => type).join(", ");
      },
    },
    {
      question: "Is one append of blocks all or nothing?",
      belief: "400, 0 blocks",
      source: "the simulator",
      ask: async (scratch) => {
        const page = await newPage(scratch, "Append");
        const wrong = { type: "equation", equation: { expression: 7 } };
        const { status } = await append(scratch, page, [paragraph("One"), wrong, paragraph("Three")]);
        return `${status}, ${(await childrenOf(scratch, page)).length} blocks`;
      },
    },
    {
      question: "In which group does a status option land that a request adds?",
      belief: "To-do",
      source: "the simulator",
      ask: async (scratch) => {
        const page = await newPage(scratch, "Status");
        const properties = { Name: { title: {} }, State: { status: { options: [{ name: "Afloat" }] } } };
        const order = {
          parent: { type: "page_id", page_id: page },
          title: [{ type: "text", text: { content: "Ships" } }],
          initial_data_source: { properties },
        };
        const { data_sources: sources } = must(await scratch.send("POST", "/databases", order), "a table");
        const made = must(await scratch.send("GET", `/data_sources/${sources[0].id}`), "the table");
        const { options, groups } = made.properties.State.status;
        const id = options.find(({ name }: Json) => name === "Afloat")?.id;
        return String(groups.find(({ option_ids: ids }: Json) => ids.includes(id))?.name);
      },
    },
    {
      question: "How is a change of a page refused that is not there?",
      belief: "404 object_not_found",
      source: "notion/recorded.json",
      ask: async ({ send }) => {
        const path = "/pages/00000000-0000-4000-8000-000000000000";
        const { status, body } = await send("PATCH", path, { in_trash: false });
        return `${status} ${body.code}`;
      },
    },
    {
      question: "Is a text of 2,001 characters refused in one piece?",
      belief: "400 validation_error",
      source: "developers.notion.com, “Request limits”",
      ask: async (scratch) => {
        const page = await newPage(scratch, "Long");
        const { status, body } = await append(scratch, page, [paragraph("x".repeat(2_001))]);
        return `${status} ${body.code}`;
      },
    },
    {
      question: "Does `synced_property_name` name the other side of a relation?",
      belief: "Cargo",
      source: "the simulator; a restore reads the other side and renames it where it differs",
      ask: async (scratch) => {
        const page = await newPage(scratch, "Relation");
        const make = async (content: string) => {
          const order = {
            parent: { type: "page_id", page_id: page },
            title: [{ type: "text", text: { content } }],
            initial_data_source: { properties: { Name: { title: {} } } },
          };
          return must(await scratch.send("POST", "/databases", order), "a table").data_sources[0].id;
        };
        const [ships, loads] = [await make("Ships"), await make("Loads")];
        const relation = {
          ...{ data_source_id: ships, type: "dual_property" },
          dual_property: { synced_property_name: "Cargo" },
        };
        const change = { properties: { Ship: { relation } } };
        must(await scratch.send("PATCH", `/data_sources/${loads}`, change), "the relation");
        const { properties } = must(await scratch.send("GET", `/data_sources/${ships}`), "the other table");
        return Object.values<Json>(properties).find(({ type }) => type === "relation")?.name ?? "none";
      },
    },
  ],
};

function pageBelow(pageId: string | undefined, content: string) {
  return {
    parent: { type: "page_id", page_id: pageId },
    properties: { title: { title: [{ type: "text", text: { content } }] } },
  };
}

async function newPage({ send, item }: Scratch, title: string): Promise<string> {
  return must(await send("POST", "/pages", pageBelow(item.slice("/pages/".length), title)), "a page").id;
}

function append({ send }: Scratch, page: string, children: readonly object[]) {
  return send("PATCH", `/blocks/${page}/children`, { children });
}

async function childrenOf({ send }: Scratch, page: string): Promise<Json[]> {
  return must(await send("GET", `/blocks/${page}/children`), "the blocks").results;
}
