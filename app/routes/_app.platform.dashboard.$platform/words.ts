import type { ItemKind, PlatformDescriptor } from "#connectors/contract/descriptor.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";

/** Display names of the platform and its kinds, from the registry. */
export type Words = {
  descriptor: PlatformDescriptor;
  kind: ItemKind;
  label: string;
  one: string;
  many: string;
};

/** The words of a platform's item kind. @throws when the registry does not contain them */
export function wordsOf(platform: string, kindId: string): Words {
  const descriptor = descriptors.find(({ id }) => id === platform);
  const kind = descriptor?.itemKinds.find(({ id }) => id === kindId);
  if (!descriptor || !kind) throw new Error(`The registry has no ${kindId} of ${platform}.`);
  return { descriptor, kind, label: descriptor.label, one: kind.one, many: kind.many };
}
