import type { EntryInfo } from "#connectors/contract/snapshot-view.ts";
import { unclaimed } from "#connectors/toolkit/records/make-once.ts";
import { paths } from "../client.ts";
import { attachmentSchema, attachmentsSchema, type TrelloAttachment } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import { addLine, type CardRestore, type CardStep } from "./card-step.ts";
import type { RestoreIo } from "./restore-io.ts";
import { uploadAttachment, verifyUpload } from "./upload-attachment.ts";

/** Restores files with their bytes, and links with their URLs. */
export async function attachmentSteps(restore: CardRestore): Promise<CardStep[]> {
  const { io, card, state } = restore;
  const steps: CardStep[] = [];
  for (const [index, attachment] of card.attachments.entries()) {
    const before = card.attachments.slice(0, index).filter((each) => alike(each, attachment)).length;
    const entry = attachment.isUpload
      ? await io.snapshot.find(recordPaths.attachment(card.id, attachment.id))
      : null;
    const what = `Attachment ${attachment.name}`;
    if (attachment.isUpload && entry === null) {
      const reason = "Its bytes are not in this version.";
      const run = async () =>
        addLine(state, { type: "missing", what: `${what} of the card ${card.name}`, reason });
      steps.push({ what, kind: null, run });
      continue;
    }
    const run = async () => {
      const created = await io.maker.make<TrelloAttachment>({
        look: () => findAttachment(io, state.id, { attachment, before }),
        create: () => createAttachment(io, state.id, { attachment, entry }),
      });
      if (entry !== null) await verifyUpload(io, state.id, { uploaded: created, entry });
      state.made[attachment.id] = created.id;
    };
    steps.push({ what, kind: attachment.isUpload ? "attachment" : "link", run });
  }
  return steps;
}

/** Attachments must have the same name; links also the same URL, files the same size. */
function alike(one: TrelloAttachment, other: TrelloAttachment): boolean {
  if (one.isUpload !== other.isUpload || one.name.trim() !== other.name.trim()) return false;
  return one.isUpload ? one.bytes === other.bytes : one.url === other.url;
}

async function findAttachment(
  io: RestoreIo,
  cardId: string,
  { attachment, before }: { attachment: TrelloAttachment; before: number },
): Promise<TrelloAttachment | null> {
  const call = { method: "GET", path: paths.attachments(cardId), about: "the new attachments" } as const;
  const there = await io.client.request(call, attachmentsSchema);
  return unclaimed(
    there.filter((each) => alike(each, attachment)),
    before,
  );
}

async function createAttachment(
  io: RestoreIo,
  cardId: string,
  { attachment, entry }: { attachment: TrelloAttachment; entry: EntryInfo | null },
): Promise<TrelloAttachment> {
  if (entry !== null) return await uploadAttachment(io, cardId, { attachment, entry });
  const { name, url } = attachment;
  const body = { url, name, setCover: false };
  const call = { method: "POST", path: paths.attachments(cardId), body, about: `the link ${name}` } as const;
  return await io.client.request({ ...call, missing: "forbidden" }, attachmentSchema);
}
