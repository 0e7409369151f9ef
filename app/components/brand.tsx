/** The logo and the name. */
export function Brand() {
  return (
    <span className="brand">
      <svg viewBox="0 0 22 18" aria-hidden="true">
        <path className="bm" d="M0 1h3.5v16H0zM5.5 1H9v16H5.5zM11 1h3.5v16H11z" />
        <rect className="br" x="17.5" y="2" width="3.5" height="14" />
      </svg>
      <span className="brand__word">Holdfast</span>
    </span>
  );
}
