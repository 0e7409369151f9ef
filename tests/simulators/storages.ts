import path from "node:path";
import {
  DEFAULT_DROPBOX_SETTINGS,
  type DropboxSimulator,
  startDropboxSimulator,
} from "#connectors/storages/dropbox/simulator/dropbox-simulator.ts";
import {
  DEFAULT_GOOGLE_DRIVE_SETTINGS,
  type GoogleDriveSimulator,
  startGoogleDriveSimulator,
} from "#connectors/storages/google-drive/simulator/google-drive-simulator.ts";
import { type S3Simulator, startS3Simulator } from "#connectors/storages/s3/simulator/s3-simulator.ts";

/** The customers' own storages. */
export type StorageSimulators = {
  s3: S3Simulator;
  dropbox: DropboxSimulator;
  googleDrive: GoogleDriveSimulator;
};

/** Starts every storage. @param order.port first of three: S3, Dropbox, Google Drive; 0 = any free ones */
export async function startStorageSimulators(order: {
  port: number;
  /** Keeps all data across restarts. */
  dir?: string | undefined;
}): Promise<StorageSimulators> {
  const { port, dir } = order;
  const at = (offset: number, name: string) => ({
    port: port === 0 ? 0 : port + offset,
    ...(dir === undefined ? {} : { directory: path.join(dir, name) }),
  });
  return {
    s3: await startS3Simulator(at(0, "s3")),
    dropbox: await startDropboxSimulator(at(1, "dropbox")),
    googleDrive: await startGoogleDriveSimulator(at(2, "google-drive")),
  };
}

/**
 * The settings that point the product at the simulated storages, per storage, so that each can be simulated or real.
 */
export function storageVars(storages: StorageSimulators): Record<string, Record<string, string>> {
  const { s3, dropbox, googleDrive } = storages;
  return {
    s3: { S3_API_URL: s3.url, S3_ADDRESSING: "path" },
    dropbox: dropboxVars(dropbox),
    googleDrive: googleDriveVars(googleDrive),
  };
}

/** The settings that point the product at a simulated Dropbox. */
export function dropboxVars({ webUrl, apiUrl, contentUrl }: DropboxSimulator): Record<string, string> {
  return {
    DROPBOX_URL: webUrl,
    DROPBOX_API_URL: apiUrl,
    DROPBOX_CONTENT_URL: contentUrl,
    DROPBOX_CLIENT_ID: DEFAULT_DROPBOX_SETTINGS.clientId,
    DROPBOX_CLIENT_SECRET: DEFAULT_DROPBOX_SETTINGS.clientSecret,
  };
}

/** The settings that point the product at a simulated Google Drive. */
export function googleDriveVars({ webUrl, tokenUrl, apiUrl }: GoogleDriveSimulator): Record<string, string> {
  return {
    GOOGLE_DRIVE_WEB_URL: webUrl,
    GOOGLE_DRIVE_TOKEN_URL: tokenUrl,
    GOOGLE_DRIVE_API_URL: apiUrl,
    GOOGLE_DRIVE_CLIENT_ID: DEFAULT_GOOGLE_DRIVE_SETTINGS.clientId,
    GOOGLE_DRIVE_CLIENT_SECRET: DEFAULT_GOOGLE_DRIVE_SETTINGS.clientSecret,
  };
}
