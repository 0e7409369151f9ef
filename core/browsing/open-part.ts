import { recordAction } from "#core/audit/index.ts";
import { doneBy } from "#core/connections/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { utf8 } from "#core/kernel/crypto.ts";
import type { Member } from "#core/organisations/index.ts";
import type { AccessServices, VaultServices } from "#core/services.ts";
import { LARGEST_IMAGE_BYTES } from "./limits.ts";
import { mediaTypeOfImage } from "./media-type.ts";
import { openForReading, type VersionOrder } from "./open-for-reading.ts";
import { readView, type Viewed } from "./open-view.ts";
import { openTreeFile, readStart } from "./read-tree.ts";
import { readable } from "./readable-or-told.ts";

/** One part of a version to download. */
export type PartContent = {
  name: string;
  sizeBytes: number;
  /** The image type, as detected from the bytes; null for anything else, and for images too large to show. */
  mediaType: string | null;
  read: () => AsyncIterable<Uint8Array>;
};

/** The part to open: an entry of the version, as stored or as Markdown, or a file of one of its trees. */
export type PartOrder = VersionOrder & {
  path: string;
  /** Id of a view of files; null = the path is that of an entry. */
  tree: string | null;
  ref: string | null;
  /** True = a page as Markdown instead of its record. */
  isMarkdown?: boolean;
  /** True for an image shown on a page. Only images are opened then, and no audit entry is written. */
  isShown: boolean;
};

/**
 * Opens one part of a version. Kinds that are not shown to people cannot be downloaded either.
 *
 * @throws AppError `err.not.found`, `err.role.forbidden`, `err.plan.required`, `err.version.unreadable`
 */
export async function openPart(
  s: AccessServices & VaultServices,
  member: Member,
  order: PartOrder,
): Promise<PartContent> {
  const open = await openForReading(s, member, order);
  const { item, snapshot, view, connector } = open;
  let part: Omit<PartContent, "mediaType">;
  if (order.isMarkdown) {
    part = await openMarkdown(open, order.path);
  } else if (order.tree === null) {
    const entry = await view.find(order.path);
    if (!entry || !Object.hasOwn(connector.entryKinds, entry.kind)) throw new AppError("err.not.found");
    const isNamed = entry.type === "stream" && entry.title !== undefined;
    const name = isNamed ? entry.title! : entry.path.slice(entry.path.lastIndexOf("/") + 1);
    part = { name, sizeBytes: entry.sizeBytes, read: () => view.read(entry.path) };
  } else {
    part = await openTreeFile(open, { viewId: order.tree, ref: order.ref, path: order.path });
  }
  const head = await readable(() => readStart(part.read(), 32));
  const mediaType = part.sizeBytes > LARGEST_IMAGE_BYTES ? null : mediaTypeOfImage(head);
  if (order.isShown) {
    if (mediaType === null) throw new AppError("err.not.found");
  } else {
    await recordAction(s, {
      ...doneBy(member, item.platform),
      action: "download-part",
      subject: `${item.fullName}: ${order.path}`.slice(0, 300),
      occasion:
        `download-part:${snapshot.id}:${order.tree ?? ""}:${order.ref ?? ""}:${order.path}:${member.userId}`.slice(
          0,
          500,
        ),
      version: snapshot,
    });
  }
  return { ...part, mediaType };
}

/** @throws AppError `err.not.found` when the path is of no page, or the platform has no Markdown */
async function openMarkdown(open: Viewed, path: string): Promise<Omit<PartContent, "mediaType">> {
  const file = await readView(
    open,
    { kind: "pages", id: null },
    async (pages) => await pages.markdown?.(path),
  );
  if (!file) throw new AppError("err.not.found");
  const bytes = utf8(file.text);
  return {
    name: file.name,
    sizeBytes: bytes.length,
    async *read() {
      yield bytes;
    },
  };
}
