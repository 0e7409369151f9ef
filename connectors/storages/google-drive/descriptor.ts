import { defineStorage } from "#connectors/contract/storage-descriptor.ts";

/** Facts about Google Drive that the browser may know. */
export const descriptor = defineStorage({
  id: "google_drive",
  label: "Google Drive",
  summary: "Copies go to your Google Drive, into the folder Holdfast. We see nothing else of it.",
  connects: { by: "consent" },
});
