/**
 * Exports: a version as a ZIP, or as a repository that git can clone. A ZIP is a fixed layout over vault objects. Any
 * range of its bytes is built on request and never stored again.
 */
export { exportLink } from "./download-link.ts";
export {
  type CloneFile,
  openCloneFile,
  openClonePack,
  openZipDownload,
  type ZipDownload,
} from "./open-download.ts";
export { requestCloneUrl, requestZip, type ZipAnswer } from "./request-zip.ts";
export { runExport } from "./run-export.ts";
export { type OpenedZip, openZip, storeLayout } from "./stored-layout.ts";
export { type ZipRange, zipRange } from "./zip/layout.ts";
export { safeNames } from "./zip/safe-names.ts";
export { zipStream } from "./zip/zip-stream.ts";
export { type ZipFacts, zipFiles } from "./zip-files.ts";
