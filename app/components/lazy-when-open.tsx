import { type ComponentType, lazy, Suspense, useState } from "react";

/**
 * A component that is loaded when it first opens, and stays mounted so that it can restore focus. For components that
 * most visits never open. The server renders no `Suspense` boundary for it: an update before hydration would discard
 * the boundary's content. `WhileLoading` stands in until it has come.
 */
export function lazyWhenOpen<Props extends { isOpen: boolean }>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  WhileLoading: ComponentType<Props> = () => null,
): ComponentType<Props> {
  const Loaded = lazy(load) as unknown as ComponentType<Props>;
  return function LazyWhenOpen(props: Props) {
    const [wasOpen, setWasOpen] = useState(props.isOpen);
    if (props.isOpen && !wasOpen) setWasOpen(true);
    return props.isOpen || wasOpen ? (
      <Suspense fallback={props.isOpen ? <WhileLoading {...props} /> : null}>
        <Loaded {...props} />
      </Suspense>
    ) : null;
  };
}
