import { defineStorage } from "#connectors/contract/storage-descriptor.ts";

/** Facts about Dropbox that the browser may know. */
export const descriptor = defineStorage({
  id: "dropbox",
  label: "Dropbox",
  summary: "Copies go to your Dropbox, into the folder Apps/Holdfast. We see nothing else of it.",
  connects: { by: "consent" },
});
