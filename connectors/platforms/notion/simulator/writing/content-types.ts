/** Types of content by the ending of a name: a few of the many that Notion knows. */
const TYPES: Record<string, string> = {
  ...{
    pdf: "application/pdf",
    txt: "text/plain",
    csv: "text/csv",
    md: "text/markdown",
    json: "application/json",
  },
  ...{ png: "image/png", jpg: "image/jpeg", jpeg: "image/jpeg", gif: "image/gif", svg: "image/svg+xml" },
  ...{ webp: "image/webp", heic: "image/heic", mp3: "audio/mpeg", wav: "audio/wav", m4a: "audio/mp4" },
  ...{ mp4: "video/mp4", mov: "video/quicktime", webm: "video/webm", zip: "application/zip" },
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
};

/** The type of a file by its name; null = it is not known. Evidence: a recorded import of a PDF without a type. */
export function contentTypeOf(filename: string | null): string | null {
  const ending = filename?.split(".").at(-1)?.toLowerCase() ?? "";
  return TYPES[ending] ?? null;
}
