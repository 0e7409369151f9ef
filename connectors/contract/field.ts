/** A colour of a label or cover. Screens map it to light and dark colours. */
export type Hue =
  | "green"
  | "yellow"
  | "orange"
  | "red"
  | "purple"
  | "blue"
  | "sky"
  | "lime"
  | "pink"
  | "gray";

/** A label: a word, a colour, or both. */
export type Tag = {
  /** Empty = the label has only a colour. */
  name: string;
  hue: Hue | null;
  shade: "light" | "normal" | "dark";
};

/** A named value of a record, as text. Several fields may share a name. */
export type Field = { name: string; value: string };

/** A file or link of a record. */
export type FileLink = {
  name: string;
  /** Path of its entry in the version; null = a link, or its bytes are not in the version. */
  path: string | null;
  /** Address of a link; null = a file. */
  url: string | null;
  sizeBytes: number | null;
};
