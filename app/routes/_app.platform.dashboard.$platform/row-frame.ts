import type { ListFrame } from "./list-frame.ts";

/** Props of every row, besides its item. */
export type RowFrame = Pick<ListFrame, "page" | "words" | "actions" | "onOpen" | "now"> & {
  isTokenValid: boolean;
  timeZone: string;
};
