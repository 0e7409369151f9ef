import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { concatBytes } from "#core/kernel/crypto.ts";
import { type ObjectStore, openObjectStore } from "../object-store.ts";
import { indexPack } from "../pack-index.ts";
import type { PackSource } from "../pack-source.ts";
import type { GitRemote } from "../smart-http.ts";
import { fetchPack, uploadPackCapabilities } from "../upload-pack.ts";

/** Largest pack of folders, which is held in memory. A hundred thousand folders take about a fifth of it. */
const LARGEST_BYTES = 32 * 1024 * 1024;

/**
 * Fetches a commit and its folders, without history and files (git: partial clone, `blob:none`).
 * @throws ConnectorError `unsupported` when the server cannot, or they are too many
 */
export async function fetchFolders(remote: GitRemote, commit: string): Promise<ObjectStore> {
  const features = (await uploadPackCapabilities(remote)).get("fetch")?.split(" ") ?? [];
  if (!features.includes("filter") || !features.includes("shallow"))
    throw new ConnectorError(
      "unsupported",
      "The git server does not give the folders of a repository alone.",
    );
  const chunks: Uint8Array[] = [];
  let size = 0;
  const write = (chunk: Uint8Array) => {
    size += chunk.length;
    if (size > LARGEST_BYTES)
      throw new ConnectorError(
        "unsupported",
        "The repository has too many folders for a restore of one of them.",
      );
    chunks.push(chunk.slice());
  };
  const objectFormat = "sha1";
  await fetchPack(remote, { wants: [commit], haves: [], objectFormat, sink: { write }, filter: "blob:none" });
  const pack = sourceOf(concatBytes(...chunks));
  const indexed = await indexPack(pack, { objectFormat });
  if (indexed.kind === "suspended") throw new Error("an index without a deadline is never suspended");
  return openObjectStore([{ pack, index: sourceOf(concatBytes(...indexed.idx())) }], objectFormat);
}

function sourceOf(bytes: Uint8Array): PackSource {
  return { size: bytes.length, read: async (offset, length) => bytes.subarray(offset, offset + length) };
}
