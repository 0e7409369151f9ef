import { descriptors } from "#connectors/registry/descriptors.generated.ts";

/** Returns the label of a platform's type of account or place, e.g. "personal account". */
export function typeWord(platform: string, type: string): string {
  return descriptors.find(({ id }) => id === platform)?.typeWords?.[type] ?? type;
}
