/** What a request may say of a block of one type. */
export type BlockType = {
  /** Members besides `children`; those that must be there end in `!`. */
  members: readonly string[];
  /** Whether blocks may stand in it: never, of any type, or of these types only. */
  children: "none" | "any" | readonly string[];
  /** Whether it must be made with its first children. Source: contract, `ColumnListRequest` and its like. */
  needsChildren?: true;
  /** Types of blocks in which it may stand; absent = any that takes any. */
  within?: readonly string[];
};

const text: BlockType = { members: ["rich_text!", "color"], children: "any" };
const heading: BlockType = { members: ["rich_text!", "color", "is_toggleable"], children: "any" };
const media: BlockType = { members: ["type", "external", "file_upload", "caption"], children: "none" };
const link: BlockType = { members: ["url!", "caption"], children: "none" };
const bare: BlockType = { members: [], children: "none" };

/** Types of blocks that requests may make. Source: contract, `BlockObjectRequest`. */
export const BLOCK_TYPES: Record<string, BlockType> = {
  ...{ heading_1: heading, heading_2: heading, heading_3: heading, heading_4: heading },
  paragraph: { members: ["rich_text!", "color", "icon"], children: "any" },
  ...{ bulleted_list_item: text, numbered_list_item: text, quote: text, toggle: text },
  to_do: { members: ["rich_text!", "color", "checked"], children: "any" },
  callout: { members: ["rich_text!", "color", "icon"], children: "any" },
  template: { members: ["rich_text!"], children: "any" },
  synced_block: { members: ["synced_from!"], children: "any" },
  code: { members: ["rich_text!", "language!", "caption"], children: "none" },
  equation: { members: ["expression!"], children: "none" },
  ...{ divider: bare, breadcrumb: bare },
  table_of_contents: { members: ["color"], children: "none" },
  link_to_page: { members: ["type", "page_id", "database_id", "comment_id"], children: "none" },
  ...{ image: media, video: media, pdf: media, audio: media },
  file: { ...media, members: [...media.members, "name"] },
  ...{ bookmark: link, embed: link },
  table: {
    members: ["table_width!", "has_column_header", "has_row_header"],
    ...{ children: ["table_row"], needsChildren: true },
  },
  table_row: { members: ["cells!"], children: "none", within: ["table"] },
  column_list: { members: [], children: ["column"], needsChildren: true },
  column: { members: ["width_ratio"], children: "any", needsChildren: true, within: ["column_list"] },
  tab: { members: [], children: ["paragraph"], needsChildren: true },
};

/** Types that answers have and requests may not make. Source: contract, its two unions of blocks. */
export const NOT_CREATABLE = [
  ...["child_page", "child_database", "link_preview", "unsupported", "meeting_notes", "transcription"],
];

/** Languages of code. Source: contract, `LanguageRequest`. */
export const LANGUAGES = [
  ...["abap", "abc", "agda", "arduino", "ascii art", "assembly", "bash", "basic", "bnf", "c", "c#", "c++"],
  ...["clojure", "coffeescript", "coq", "css", "dart", "dhall", "diff", "docker", "ebnf", "elixir", "elm"],
  ...["erlang", "f#", "flow", "fortran", "gherkin", "glsl", "go", "graphql", "groovy", "haskell", "hcl"],
  ...["html", "idris", "java", "javascript", "json", "julia", "kotlin", "latex", "less", "lisp"],
  ...["livescript", "llvm ir", "lua", "makefile", "markdown", "markup", "matlab", "mathematica", "mermaid"],
  ...["nix", "notion formula", "objective-c", "ocaml", "pascal", "perl", "php", "plain text", "powershell"],
  ...["prolog", "protobuf", "purescript", "python", "r", "racket", "reason", "ruby", "rust", "sass"],
  ...["scala", "scheme", "scss", "shell", "smalltalk", "solidity", "sql", "swift", "toml", "typescript"],
  ...["vb.net", "verilog", "vhdl", "visual basic", "webassembly", "xml", "yaml", "java/c/c++/c#"],
];
