import { type ComponentType, lazy, Suspense, useState } from "react";

/**
 * A component that is fetched when it opens for the first time and stays mounted from then on, so that it can give the
 * focus back. For what most visits never open. It opens in the browser: what the server draws has no boundary of
 * `Suspense`, since a change that comes before React has taken it over throws its content away.
 */
export function lazyWhenOpen<Props extends { isOpen: boolean }>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
  const Loaded = lazy(load) as unknown as ComponentType<Props>;
  // biome-ignore lint/correctness/noComponentHookFactories: -- made once per module, as `lazy` itself is
  return function LazyWhenOpen(props: Props) {
    const [wasOpen, setWasOpen] = useState(props.isOpen);
    if (props.isOpen && !wasOpen) setWasOpen(true);
    return props.isOpen || wasOpen ? (
      <Suspense fallback={null}>
        <Loaded {...props} />
      </Suspense>
    ) : null;
  };
}
