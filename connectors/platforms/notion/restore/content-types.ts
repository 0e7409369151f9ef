/** Types of files by the ending of their name (developers.notion.com, "Working with files": supported types). */
const TYPES: Readonly<Record<string, string>> = {
  ...{ aac: "audio/aac", flac: "audio/flac", m4a: "audio/mp4", mid: "audio/midi", midi: "audio/midi" },
  ...{ mp3: "audio/mpeg", oga: "audio/ogg", ogg: "audio/ogg", opus: "audio/opus", wav: "audio/wav" },
  ...{
    wma: "audio/x-ms-wma",
    csv: "text/csv",
    html: "text/html",
    htm: "text/html",
    json: "application/json",
  },
  ...{ md: "text/markdown", pdf: "application/pdf", txt: "text/plain", xml: "application/xml" },
  ...{ yaml: "application/x-yaml", yml: "application/x-yaml", zip: "application/zip" },
  doc: "application/msword",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  ppt: "application/vnd.ms-powerpoint",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  xls: "application/vnd.ms-excel",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  ...{ gif: "image/gif", heic: "image/heic", ico: "image/vnd.microsoft.icon", jpeg: "image/jpeg" },
  ...{ jpg: "image/jpeg", png: "image/png", svg: "image/svg+xml", tif: "image/tiff", tiff: "image/tiff" },
  ...{ webp: "image/webp", amv: "video/x-amv", asf: "video/x-ms-asf", avi: "video/x-msvideo" },
  ...{ flv: "video/x-flv", mkv: "video/webm", mov: "video/quicktime", mp4: "video/mp4", mpeg: "video/mpeg" },
  ...{ qt: "video/quicktime", webm: "video/webm", wmv: "video/x-ms-wmv" },
};

/** The type of a file by its name; null = unknown, and Notion finds it out. */
export function contentTypeOf(name: string): string | null {
  const dot = name.lastIndexOf(".");
  return dot < 0 ? null : (TYPES[name.slice(dot + 1).toLowerCase()] ?? null);
}
