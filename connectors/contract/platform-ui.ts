import type { ComponentType } from "react";

/** A platform's logo, loaded by every screen. Browser code; no server import. */
export type PlatformUi = {
  /** The platform's logo in the current text colour, square, `size` pixels wide (default 20). Decorative. */
  Logo: ComponentType<{ size?: number }>;
};

/** A platform's texts about restores. Separate from the logo, because the first load does not need them. */
export type RestoreWords = {
  /** The platform's name for a place, by type; absent = user and organisation. */
  placeTypes?: Readonly<Record<"User" | "Organization", string>>;
  /** A sentence: what a restore cannot do in a place with `restores: "partly"`. Absent = there are no such places. */
  partlyPlace?: string;
  /** Sentences: what a restore brings back, by item kind. */
  comesBack: Readonly<Record<string, readonly string[]>>;
  /** Sentences: what a restore cannot bring back and why, by item kind. */
  cannot: Readonly<Record<string, readonly string[]>>;
  /** Options of the restore dialog, stored by name in the `options` of the restore target. */
  options: readonly RestoreOption[];
};

/** A yes-or-no option of the restore dialog. */
export type RestoreOption = { name: string; kind: string; label: string; help: string; isOnAtFirst: boolean };
