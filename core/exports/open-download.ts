import type { CloneRoot, ExportFile, UploadPack } from "#connectors/contract/platform-connector.ts";
import { recordAction } from "#core/audit/index.ts";
import { connectorOf, doneBy } from "#core/connections/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { findItemRow } from "#core/inventory/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { findOrganisationOf, listMembers, type Member, mayManage } from "#core/organisations/index.ts";
import type { Uses, VaultServices } from "#core/services.ts";
import type { SnapshotReader } from "#core/vault/index.ts";
import {
  findObject,
  findSnapshot,
  findSnapshotOfAnyone,
  openVault,
  openVersion,
} from "#core/versions/index.ts";
import { type LinkClaim, readLink } from "./download-link.ts";
import { findExport } from "./exports.store.ts";
import { type OpenedZip, openZip } from "./stored-layout.ts";

/** A ZIP that can be downloaded. */
export type ZipDownload = OpenedZip & {
  fileName: string;
  etag: string;
  expiresAt: number;
  /** Writes the download to the audit trail, once per export and person. */
  recordTaking: () => Promise<void>;
};

/**
 * Opens a ZIP by its link. Every use checks that the export is not revoked and that the person still has the role.
 *
 * @throws AppError `err.link.invalid`, `err.link.expired`
 */
export async function openZipDownload(
  s: VaultServices & Uses<"memory">,
  token: string,
): Promise<ZipDownload> {
  const claim = await readLink(s, token, "zip");
  const ledger = await ledgerOfPerson(s, claim);
  const row = await findExport(ledger, claim.i);
  if (!row || row.status === "failed" || row.status === "pending") throw new AppError("err.link.invalid");
  if (row.revokedAt !== null || row.status === "expired" || row.expiresAt <= s.clock.now()) {
    throw new AppError("err.link.expired");
  }
  const person = await requirePerson(s, { ...row, userId: claim.u });
  const object = row.layoutObjectId ? await findObject(ledger, row.organisationId, row.layoutObjectId) : null;
  if (!object) throw new AppError("err.link.expired");
  const vault = await openVault(s, { organisationId: row.organisationId, region: claim.r });
  const view = await openVersion(s, vault, { ...row, region: claim.r });
  const zip = await openZip(vault, view, { organisationId: row.organisationId, itemId: row.itemId, object });
  const recordTaking = async () =>
    recordAction(s, {
      ...doneBy(person, row.platform),
      action: "download-zip",
      subject: row.fileName,
      version: await findSnapshot(ledger, row.organisationId, row.snapshotId),
      occasion: `download-zip:${row.id}:${person.userId}`,
    });
  return { ...zip, fileName: row.fileName, etag: `"${row.id}"`, expiresAt: row.expiresAt, recordTaking };
}

/**
 * An object outside packs, which no version has. While git fetches a pack it asks for one of these per ref: reading the
 * version for each of thousands made a clone take forty times as long as the ZIP.
 */
const LOOSE_OBJECT = /^objects\/[0-9a-f]{2}\/[0-9a-f]{38,62}$/;

/** One file that git requests while it clones a version. */
export type CloneFile = {
  size: number;
  read: (range: { offset: number; length: number }) => AsyncIterable<Uint8Array>;
};

type CloneRequest = { token: string; name: string };

/**
 * Opens one file of a version's repository for git's dumb HTTP protocol; null when the repository has no such file.
 *
 * @throws AppError `err.link.invalid`, `err.link.expired`, `err.snapshot.not.restorable`
 */
export async function openCloneFile(
  s: VaultServices & Uses<"memory" | "connectors">,
  request: CloneRequest & { path: string },
): Promise<CloneFile | null> {
  const claim = await readLink(s, request.token, "clone");
  if (LOOSE_OBJECT.test(request.path)) return null;
  const { view, root } = await openCloneRoot(s, claim, request.name);
  if (!root) return null;
  for await (const file of root.files) {
    if (file.path === request.path) return openFile(view, file);
  }
  return null;
}

/**
 * Opens a version's repository for git's own protocol; null when it is not there, or can only be given file by file.
 *
 * @throws AppError `err.link.invalid`, `err.link.expired`, `err.snapshot.not.restorable`
 */
export async function openClonePack(
  s: VaultServices & Uses<"memory" | "connectors">,
  request: CloneRequest,
): Promise<UploadPack | null> {
  const { root } = await openCloneRoot(s, await readLink(s, request.token, "clone"), request.name);
  return (await root?.uploadPack()) ?? null;
}

/**
 * The ledger of the organisation of a link's person. @throws AppError `err.link.invalid` for somebody who has left
 */
async function ledgerOfPerson(s: Uses<"control" | "ledger">, { r, u }: LinkClaim): Promise<LedgerDatabase> {
  const organisationId = await findOrganisationOf(s.control, u);
  if (organisationId === null) throw new AppError("err.link.invalid");
  return s.ledger(r, organisationId);
}

async function openCloneRoot(
  s: VaultServices & Uses<"memory" | "connectors">,
  claim: LinkClaim,
  name: string,
): Promise<{ view: SnapshotReader; root: CloneRoot | undefined }> {
  const ledger = await ledgerOfPerson(s, claim);
  const snapshot = await findSnapshotOfAnyone(ledger, claim.i);
  if (!snapshot) throw new AppError("err.link.expired");
  const item = await findItemRow(ledger, snapshot.organisationId, snapshot.itemId);
  if (!item) throw new AppError("err.link.expired");
  await requirePerson(s, { organisationId: item.organisationId, platform: item.platform, userId: claim.u });
  // A later check may find damage that the first one did not.
  if (snapshot.verifyState === "failed") throw new AppError("err.snapshot.not.restorable");
  const vault = await openVault(s, { organisationId: item.organisationId, region: claim.r });
  const view = await openVersion(s, vault, { ...snapshot, region: claim.r });
  const roots = (await connectorOf(s, item.platform).cloneRoots?.(view)) ?? [];
  return { view, root: roots.find((each) => each.name === name) };
}

async function openFile(view: SnapshotReader, file: ExportFile): Promise<CloneFile | null> {
  switch (file.source) {
    case "directory":
      return null;
    case "bytes": {
      const { bytes } = file;
      return {
        size: bytes.length,
        read: async function* ({ offset, length }) {
          yield bytes.subarray(offset, offset + length);
        },
      };
    }
    case "entry": {
      const { entry: path } = file;
      const entry = await view.find(path);
      return (
        entry && { size: entry.sizeBytes, read: (range) => view.read(path, whole(range, entry.sizeBytes)) }
      );
    }
    case "companion": {
      const { entry: path, name } = file;
      const companion = await view.findCompanion(path, name);
      return (
        companion && {
          size: companion.sizeBytes,
          read: (range) => view.readCompanion(path, name, whole(range, companion.sizeBytes)),
        }
      );
    }
    default:
      return file satisfies never;
  }
}

/** A whole file is read without a range, so that its hash is checked at the end. */
function whole(range: { offset: number; length: number }, size: number) {
  return range.offset === 0 && range.length === size ? undefined : range;
}

async function requirePerson(
  s: Uses<"memory" | "clock" | "control">,
  claim: { organisationId: string; platform: string; userId: string },
): Promise<Member> {
  const members = await listMembers(s, claim.organisationId);
  const person = members.find((member) => member.userId === claim.userId);
  if (!person || !(await mayManage(s, person, claim.platform))) throw new AppError("err.link.invalid");
  return person;
}
