import { createHash, createHmac } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { addAction } from "./actions.ts";
import { NO_COVER } from "./cards.ts";
import { newId, timestamp } from "./ids.ts";
import { placeAmong } from "./positions.ts";
import { Refused, tooMany } from "./refused.ts";
import type { Attachment, Board, Card, Member, TrelloWorld } from "./state.ts";
import { isPaid, organizationOf } from "./store.ts";

/** Stores bytes in a file named by their hash; equal bytes are stored once. */
export function keepBytes(world: TrelloWorld, bytes: Uint8Array): string {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const file = bytesFile(world, sha256);
  if (!existsSync(file)) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
  return sha256;
}

/** Reads stored bytes; null when they are missing. */
export function readBytes(world: TrelloWorld, sha256: string): Uint8Array | null {
  const file = bytesFile(world, sha256);
  return /^[0-9a-f]{64}$/.test(sha256) && existsSync(file) ? readFileSync(file) : null;
}

function bytesFile(world: TrelloWorld, sha256: string): string {
  return path.join(world.directory, "attachments", sha256.slice(0, 2), sha256);
}

/** Attaches a file to a card. */
export function attachFile(
  world: TrelloWorld,
  board: Board,
  by: Member,
  order: {
    card: Card;
    name: string;
    fileName?: string;
    mimeType?: string;
    bytes: Uint8Array;
    isCover?: boolean;
    at?: number;
  },
): Attachment {
  const { settings } = world;
  const limit = isPaid(organizationOf(world, board))
    ? settings.paidAttachmentBytes
    : settings.freeAttachmentBytes;
  if (order.bytes.length > limit) {
    throw new Refused(413, {
      error: "FILE_TOO_LARGE",
      message: "The file exceeds the limit of this workspace.",
    });
  }
  const attachment = attach(world, board, by, {
    card: order.card,
    at: order.at,
    fields: {
      name: order.name,
      fileName: safeFileName(order.fileName ?? order.name),
      mimeType: order.mimeType ?? "",
      bytes: order.bytes.length,
      sha256: keepBytes(world, order.bytes),
      isUpload: true,
      link: null,
      edgeColor: order.mimeType?.startsWith("image/") ? "#3c6ca8" : null,
    },
  });
  if (order.isCover) setCover(world, board, by, { card: order.card, attachment, at: order.at });
  return attachment;
}

/** Attaches a link to a card. */
export function attachLink(
  world: TrelloWorld,
  board: Board,
  by: Member,
  order: { card: Card; name?: string; url: string; mimeType?: string; at?: number },
): Attachment {
  return attach(world, board, by, {
    card: order.card,
    at: order.at,
    fields: {
      name: order.name ?? order.url,
      fileName: null,
      mimeType: order.mimeType ?? "",
      bytes: null,
      sha256: null,
      isUpload: false,
      link: order.url,
      edgeColor: null,
    },
  });
}

/** Makes an attachment the card's cover. */
export function setCover(
  world: TrelloWorld,
  board: Board,
  by: Member,
  { card, attachment, at }: { card: Card; attachment: Attachment; at?: number },
): void {
  const old = { idAttachmentCover: card.cover.idAttachment };
  card.cover = { ...card.cover, color: null, idUploadedBackground: null, idAttachment: attachment.id };
  addAction(world, board, { type: "updateCard", by, card, at, data: { old } });
  world.save();
}

/** Deletes an attachment, also as the card's cover. */
export function deleteAttachment(
  world: TrelloWorld,
  board: Board,
  by: Member,
  { card, attachment }: { card: Card; attachment: Attachment },
): void {
  card.attachments = card.attachments.filter((known) => known !== attachment);
  if (card.cover.idAttachment === attachment.id) card.cover = { ...NO_COVER };
  world.index.delete(attachment.id);
  const data = { attachment: { id: attachment.id, name: attachment.name } };
  addAction(world, board, { type: "deleteAttachmentFromCard", by, card, data });
  world.save();
}

/** A signed URL at the storage host; it expires. */
export function storageAddress(world: TrelloWorld, attachment: Attachment): string {
  const expires = Date.now() + world.settings.storageLifetimeMs;
  const sha256 = attachment.sha256 ?? "";
  const query = new URLSearchParams({
    "X-Amz-Expires": String(expires),
    "X-Amz-Signature": sign(world, sha256, expires),
    type: attachment.mimeType,
  });
  const fileName = encodeURIComponent(attachment.fileName ?? "file");
  return `${world.storageUrl}/trello-attachments/${sha256}/${fileName}?${query}`;
}

/** Whether a URL at the storage host has a valid signature and has not expired. */
export function isSigned(world: TrelloWorld, sha256: string, query: URLSearchParams): boolean {
  const expires = Number(query.get("X-Amz-Expires"));
  return expires > Date.now() && query.get("X-Amz-Signature") === sign(world, sha256, expires);
}

function sign(world: TrelloWorld, sha256: string, expires: number): string {
  return createHmac("sha256", world.state.machine).update(`${sha256} ${expires}`).digest("hex");
}

function attach(
  world: TrelloWorld,
  board: Board,
  by: Member,
  order: { card: Card; at?: number; fields: Omit<Attachment, "id" | "date" | "pos" | "idMember"> },
): Attachment {
  const { card, at } = order;
  if (card.attachments.length >= world.settings.attachmentLimit) throw tooMany("attachments.perCard");
  const attachment: Attachment = {
    id: newId(world.state, at),
    ...order.fields,
    idMember: by.id,
    date: timestamp(at),
    pos: placeAmong(card.attachments, "bottom"),
  };
  card.attachments.push(attachment);
  world.index.set(attachment.id, { kind: "attachment", board, card, attachment });
  const data = { attachment: { id: attachment.id, name: attachment.name } };
  addAction(world, board, { type: "addAttachmentToCard", by, card, at, data });
  world.save();
  return attachment;
}

/** Replaces slashes and control characters, which a download URL cannot contain. */
function safeFileName(name: string): string {
  const clean = [...name].map((sign) => (sign < " " || "/\\".includes(sign) ? "_" : sign)).join("");
  return clean.trim() === "" ? "file" : clean;
}
