/**
 * Loads a module on first use. All callers share one promise: several pending imports of a module settle in any order,
 * so the first action could take effect last. A failed load is retried.
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
