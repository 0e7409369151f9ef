import type { Coverage } from "#connectors/contract/coverage.ts";

const ASSIGNED = "Notion assigns them to what a restore makes.";
const HISTORY = "Notion's API takes no authors and no dates.";
const TRASH = "A version holds what is not in the trash.";
const PUBLISHED = "A restore publishes nothing.";
const COMPUTED = "Notion computes them again from the other values.";

/** What becomes of Notion's fields. `record-form.ts` and `restore/` decide it; the README says how. */
export const coverage: Coverage = [
  {
    name: "Pages and rows",
    schema: "page",
    restored: "properties icon cover parent is_locked",
    kept: [
      { fields: "object id url", because: ASSIGNED },
      { fields: "created_by created_time last_edited_by last_edited_time", because: HISTORY },
      { fields: "archived is_archived in_trash", because: TRASH },
      { fields: "public_url", because: PUBLISHED },
    ],
  },
  {
    name: "Values of rows, by type",
    schema: "property",
    restored: `title rich_text number select multi_select status date people files checkbox url email phone_number
      relation place`,
    kept: [
      { fields: "formula rollup", because: COMPUTED },
      { fields: "unique_id", because: "Notion numbers the restored rows anew." },
      { fields: "created_by created_time last_edited_by last_edited_time", because: HISTORY },
      { fields: "verification", because: "It states who checked a page, which a restore must not claim." },
      { fields: "button", because: "It has no value." },
    ],
  },
  {
    name: "Blocks",
    schema: "block",
    restored: "type paragraph parent has_children",
    kept: [
      { fields: "object id", because: ASSIGNED },
      { fields: "created_by created_time last_edited_by last_edited_time", because: HISTORY },
      { fields: "archived in_trash", because: TRASH },
    ],
  },
  {
    name: "Blocks, by type",
    schema: "block-type",
    restored: `audio bookmark breadcrumb bulleted_list_item callout child_database child_page code column column_list
      divider embed equation file heading_1 heading_2 heading_3 heading_4 image link_to_page numbered_list_item
      paragraph pdf quote synced_block tab table table_of_contents table_row template to_do toggle video`,
    kept: [
      {
        fields: "link_preview meeting_notes transcription",
        because: "The API cannot make them: a bookmark or a toggle with the text stands in their place.",
      },
      { fields: "unsupported", because: "The API gives their type only; a note stands in their place." },
    ],
  },
  {
    name: "Texts",
    schema: "rich-text",
    restored: "type text mention equation annotations href",
    kept: [{ fields: "plain_text", because: "It repeats the other fields." }],
  },
  {
    name: "Databases",
    schema: "database",
    restored: "title description icon cover parent is_inline is_locked data_sources",
    kept: [
      { fields: "object id url", because: ASSIGNED },
      { fields: "created_time last_edited_time", because: HISTORY },
      { fields: "archived in_trash", because: TRASH },
      { fields: "public_url", because: PUBLISHED },
    ],
  },
  {
    name: "Data sources",
    schema: "data-source",
    restored: "title properties parent",
    kept: [
      { fields: "object id url database_parent", because: ASSIGNED },
      {
        fields: "description icon cover is_inline",
        because: "The database has its own; only further data sources get their icon back.",
      },
      { fields: "created_by created_time last_edited_by last_edited_time", because: HISTORY },
      { fields: "archived in_trash", because: TRASH },
      { fields: "public_url", because: PUBLISHED },
    ],
  },
  {
    name: "Properties of data sources, by type",
    schema: "property-type",
    restored: `title rich_text number select multi_select status date people files checkbox url email phone_number
      relation formula rollup unique_id created_by created_time last_edited_by last_edited_time`,
  },
  {
    name: "Views",
    schema: "view",
    restored: "name type configuration filter sorts quick_filters",
    kept: [
      { fields: "object id url parent data_source_id", because: ASSIGNED },
      { fields: "dashboard_view_id", because: "The API cannot make dashboards." },
      { fields: "created_by created_time last_edited_by last_edited_time", because: HISTORY },
    ],
  },
  {
    name: "Views, by type",
    schema: "view-type",
    restored: "board calendar chart form gallery list map table timeline",
    kept: [{ fields: "dashboard", because: "The API cannot make dashboards." }],
  },
  {
    name: "Comments",
    schema: "comment",
    restored: "rich_text parent discussion_id created_by created_time display_name attachments",
    kept: [{ fields: "object id last_edited_time", because: ASSIGNED }],
  },
  {
    name: "People",
    schema: "user",
    kept: [{ fields: "object id type name avatar_url person bot", because: "A restore invites nobody." }],
  },
  {
    name: "Custom emojis",
    schema: "emoji",
    kept: [
      { fields: "id name url", because: "The API cannot make them; those that are still there are used." },
    ],
  },
];
