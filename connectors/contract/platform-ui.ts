import type { ComponentType } from "react";

/** What a platform brings to every screen: its mark. Browser code; no server import. */
export type PlatformUi = {
  /** The platform's mark in the current text colour, square, `size` pixels wide (default 20). Decorative. */
  Logo: ComponentType<{ size?: number }>;
};

/** What a platform's restore is told in, apart from the mark because no first load needs it. */
export type RestoreWords = {
  /** What the platform calls a place by its type; absent = user and organisation. */
  placeTypes?: Readonly<Record<"User" | "Organization", string>>;
  /** A sentence: what a place keeps back in which a restore may do only a part. Absent = there are no such places. */
  partlyPlace?: string;
  /** Sentences: what a restore brings back, per item kind. */
  comesBack: Readonly<Record<string, readonly string[]>>;
  /** Sentences: what cannot come back and why, per item kind. */
  cannot: Readonly<Record<string, readonly string[]>>;
  /** Choices of the restore dialog, stored in the `options` of the restore target under their names. */
  options: readonly RestoreOption[];
};

/** A yes-or-no choice of the restore dialog. */
export type RestoreOption = { name: string; kind: string; label: string; help: string; isOnAtFirst: boolean };
