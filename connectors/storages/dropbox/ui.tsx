import type { StorageUi } from "#connectors/contract/storage-descriptor.ts";
import { LOGO } from "./logo.ts";

/** Dropbox's logo. */
export const ui = {
  Logo: ({ size = 20 }) => (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <path d={LOGO} />
    </svg>
  ),
} satisfies StorageUi;
