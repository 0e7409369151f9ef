import type { FileUpload, NotionWorld } from "../state.ts";
import { keepFile, now } from "../store.ts";
import { fileLimit } from "./free-plan.ts";

/** Fetches the file of an upload with an external address, after its answer, as Notion does. */
export async function importFile(world: NotionWorld, upload: FileUpload, url: string): Promise<void> {
  try {
    const answer = await fetch(url, { redirect: "follow" });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (!answer.ok || bytes.length > fileLimit(world, upload.workspaceId))
      throw new Error(String(answer.status));
    const told = answer.headers.get("content-type")?.split(";")[0];
    const contentType = upload.contentType ?? told ?? "application/octet-stream";
    const file = keepFile(world, {
      workspaceId: upload.workspaceId,
      name: upload.filename!,
      contentType,
      bytes,
    });
    Object.assign(upload, { status: "uploaded", fileId: file.id, sizeBytes: bytes.length, contentType });
    upload.importResult = { type: "success", success: {}, imported_time: timeOf(world) };
  } catch (cause) {
    upload.status = "failed";
    const error = {
      ...{ type: "download_error", code: "file_import_failed", message: String(cause) },
      ...{ parameter: null, status_code: null },
    };
    upload.importResult = { type: "error", error, imported_time: timeOf(world) };
  }
  world.save();
}

/** Evidence: the recorded imports, with whole seconds. */
function timeOf(world: NotionWorld): string {
  const at = now(world);
  return new Date(at - (at % 1_000)).toISOString().replace("Z", "+00:00");
}
