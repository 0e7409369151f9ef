/**
 * The open way out: a version as a ZIP, or as a repository that plain git clones. A ZIP is a fixed layout over
 * objects of the vault; its bytes are built when they are asked for, any range of them, and never stored twice.
 */
export { exportLink } from "./download-link.ts";
export { type CloneFile, type Download, openCloneFile, openDownload } from "./open-download.ts";
export { requestCloneUrl, requestZip, type ZipAnswer } from "./request-zip.ts";
export { runExport } from "./run-export.ts";
export { type OpenedZip, openZip, storeLayout } from "./stored-layout.ts";
export { type ZipRange, zipRange } from "./zip/layout.ts";
export { safeNames } from "./zip/safe-names.ts";
export { zipStream } from "./zip/zip-stream.ts";
