/**
 * Dumps of the control database: once a day, page by page, encrypted for a key whose private half is nowhere near the
 * product. They let the organisations' keys survive the loss of the database. `docs/runbooks/lost-control-database.md` says
 * how to use one.
 */
export { dumpControl, queueDump } from "./dump-control.ts";
export { type DumpPiece, readDump } from "./read-dump.ts";
export { createDumpKeys } from "./seal-piece.ts";
