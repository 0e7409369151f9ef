/**
 * A module that is fetched when it is first wanted. All who want it wait for one promise: several imports of a module that
 * is on its way end in any order, so that what was done first could take effect last. A fetch that failed is tried again.
 */
export function loadOnce<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loading: Promise<Module> | undefined;
  return () => {
    loading ??= load().catch((cause: unknown) => {
      loading = undefined;
      throw cause;
    });
    return loading;
  };
}
