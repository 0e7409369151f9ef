/** Who an organisation belongs to: its ownership can be handed over. */
export { handOverOwnership } from "./hand-over.ts";
