import type { ComponentType } from "react";

/** Facts about a customer's own storage that the browser may know. Nothing here may import server code. */
export type StorageDescriptor = {
  /** The id in every API, e.g. "google_drive". The folder has the same name with hyphens. */
  id: string;
  /** The name shown, e.g. "Google Drive". */
  label: string;
  /** One sentence: where the copies are stored and how the storage is connected. */
  summary: string;
  connects:
    | {
        /** The customer consents on the storage's own page, which opens in a new tab. */
        by: "consent";
      }
    | {
        /** The customer types keys into a form. */
        by: "keys";
        /** Path of the API call that receives the form, below `/api/user/`. */
        path: string;
        fields: readonly StorageKeyField[];
      };
};

/** A form field of a storage that is connected by keys. All fields are required. */
export type StorageKeyField = {
  /** Name in the API. */
  name: string;
  label: string;
  /** Length in characters, after trimming. */
  minLength: number;
  maxLength: number;
  /** Stored sealed and never shown again; the other fields are shown with the connected storage. */
  isSecret?: true;
  /** The allowed values, in display order. */
  options?: readonly { value: string; label: string }[];
  /** A pattern that the whole value must match, and the sentence shown when it does not. */
  rule?: { pattern: string; message: string };
};

/** A storage's logo and guide. Browser code; no server import. */
export type StorageUi = {
  /** The storage's logo in the current text colour, square, `size` pixels wide (default 20). Decorative. */
  Logo: ComponentType<{ size?: number }>;
  /** How the owner sets up the storage before connecting it; absent = no setup is needed. */
  guide?: StorageGuide;
};

/** Step-by-step setup instructions, shown on screen and as a PDF. */
export type StorageGuide = {
  title: string;
  /** Introduction. */
  text: string;
  steps: readonly { title: string; text: string; code?: string }[];
  /** Name of the PDF. */
  fileName: string;
};

/** Declares a storage's descriptor; the compiler checks the shape and keeps the literal types. */
export function defineStorage<const D extends StorageDescriptor>(descriptor: D): D {
  return descriptor;
}
