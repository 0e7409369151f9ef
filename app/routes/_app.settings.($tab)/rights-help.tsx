import { usersCopy as copy } from "#app/copy/settings.ts";

/** Explains each right, next to the grid. */
export function RightsHelp() {
  return (
    <aside className="rights-help" aria-labelledby="rights-help">
      <h3 id="rights-help">{copy.help}</h3>
      <dl>
        {copy.helpLines.map(({ name, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p className="meta">{copy.helpNote}</p>
    </aside>
  );
}
