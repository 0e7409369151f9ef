import { type ReactNode, useId } from "react";

/** One topic of a panel: its description on the left, its controls on the right. */
export function Section({
  title,
  text,
  children,
}: {
  title: string;
  text?: ReactNode;
  children?: ReactNode;
}) {
  const id = useId();
  return (
    <section className="settings-section" aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        {text && <p className="soft">{text}</p>}
      </div>
      <div className="settings-section__body">{children}</div>
    </section>
  );
}
