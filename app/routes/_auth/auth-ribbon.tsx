const DAYS = Array.from({ length: 30 }, (_, day) => {
  if (day === 29) return "k d";
  if (day === 11) return "t";
  return day === 21 ? "f" : "k";
});

/** Thirty days as the product draws them: a picture of what it does, not of anybody's data. */
export function AuthRibbon({ label }: { label: string }) {
  return (
    <div className="auth__ribbon">
      <span
        className="retention-ribbon ribbon-fill"
        role="img"
        aria-label={label}
        style={{ "--cg": "3px", "--ch": "28px" } as React.CSSProperties}
      >
        {DAYS.map((shape, day) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: -- a fixed picture; the day is its own name
          <i key={day} className={shape} />
        ))}
      </span>
    </div>
  );
}
