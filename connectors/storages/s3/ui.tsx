import type { StorageUi } from "#connectors/contract/storage-descriptor.ts";
import { guide } from "./guide.ts";

/** A bucket icon, and the setup guide. */
export const ui = {
  Logo: ({ size = 20 }) => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <ellipse cx="12" cy="5.5" rx="8" ry="2.8" />
      <path d="M4 5.5l2.2 13.2c.2 1.3 2.7 2.3 5.8 2.3s5.6-1 5.8-2.3L20 5.5" />
    </svg>
  ),
  guide,
} satisfies StorageUi;
