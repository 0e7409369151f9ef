import type { StorageConnector, StorageSession } from "#connectors/contract/storage-connector.ts";
import { utf8 } from "#core/kernel/crypto.ts";

const TEXT = `Holdfast keeps copies of your backups in this folder.

Each ZIP file is one version of one item: Platform/Account/Item/Item DATE TIME xxxxxx.zip (UTC). It opens with any
unpacking tool; the README inside says what it holds and how to use it without Holdfast.

A copy is deleted when its version reaches the end of its time at Holdfast. Files that were changed here, and everything
else, are never touched. When you disconnect this storage or leave Holdfast, all files stay.
`;

/** Writes the file that explains the folder; this also proves that files can be written. @throws ConnectorError */
export async function writeReadme(connector: StorageConnector, session: StorageSession): Promise<void> {
  const bytes = utf8(TEXT);
  const put = connector.put(session, {
    path: "README.txt",
    key: "readme",
    sizeBytes: bytes.length,
    mediaType: "text/plain; charset=utf-8",
    cursor: null,
    read: async function* ({ offset, length }) {
      yield bytes.subarray(offset, offset + length);
    },
  });
  for (let step = await put.next(); !step.done; ) step = await put.next();
}
