import type { ComponentType } from "react";

/** Facts about a storage of the customer's own that the browser may know. Nothing here may import server code. */
export type StorageDescriptor = {
  /** The tag on every wire, e.g. "google_drive". The folder has the same name with hyphens. */
  id: string;
  /** The name shown, e.g. "Google Drive". */
  label: string;
  /** One sentence: where the copies lie and how it is connected. */
  summary: string;
  connects:
    | {
        /** The customer agrees on the storage's own page, which opens in a new tab. */
        by: "consent";
      }
    | {
        /** The customer types keys into a form. */
        by: "keys";
        /** Path of the call that takes the form, below `/api/user/`. */
        path: string;
        fields: readonly StorageKeyField[];
      };
};

/** One field of the form of a storage that is connected by keys. All are required. */
export type StorageKeyField = {
  /** Name on the wire. */
  name: string;
  label: string;
  /** Lengths in characters, after blanks around it are gone. */
  minLength: number;
  maxLength: number;
  /** Never shown back and kept sealed; the others are shown with the connected storage. */
  isSecret?: true;
  /** The only values allowed, in the order in which they are offered. */
  options?: readonly { value: string; label: string }[];
  /** What else a value must match as a whole, and the sentence shown when it does not. */
  rule?: { pattern: string; message: string };
};

/** What a storage brings to the screens. Browser code; no server import. */
export type StorageUi = {
  /** The storage's mark in the current text colour, square, `size` pixels wide (default 20). Decorative. */
  Logo: ComponentType<{ size?: number }>;
  /** How its owner sets it up there before connecting; absent = nothing needs to be set up. */
  guide?: StorageGuide;
};

/** What somebody does at the storage, step by step; shown and given as a PDF. */
export type StorageGuide = {
  title: string;
  /** Sentences on top. */
  text: string;
  steps: readonly { title: string; text: string; code?: string }[];
  /** Name of the PDF. */
  fileName: string;
};

/** Declares a storage's descriptor; the compiler checks the shape and keeps the literal types. */
export function defineStorage<const D extends StorageDescriptor>(descriptor: D): D {
  return descriptor;
}
