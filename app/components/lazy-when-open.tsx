import { type ComponentType, lazy, Suspense, useRef } from "react";

/**
 * A component that is loaded when it first opens, and stays mounted so that it can restore focus. For components that
 * most visits never open. The server renders no `Suspense` boundary for it: an update before hydration would discard
 * the boundary's content. `WhileLoading` stands in until it has come.
 *
 * While it closes it keeps what it showed: what it is about is then gone from its parent, and must be neither drawn nor
 * asked for.
 */
export function lazyWhenOpen<Props extends { isOpen: boolean }>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  WhileLoading: ComponentType<Props> = () => null,
): ComponentType<Props> {
  const Loaded = lazy(load) as unknown as ComponentType<Props>;
  return function LazyWhenOpen(props: Props) {
    const shown = useRef<Props | null>(null);
    if (props.isOpen) shown.current = props;
    return shown.current ? (
      <Suspense fallback={props.isOpen ? <WhileLoading {...props} /> : null}>
        <Loaded {...shown.current} isOpen={props.isOpen} />
      </Suspense>
    ) : null;
  };
}
