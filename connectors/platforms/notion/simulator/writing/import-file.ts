import type { FileUpload, NotionWorld } from "../state.ts";
import { keepFile } from "../store.ts";
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
  } catch {
    upload.status = "failed";
  }
  world.save();
}
