const DAYS = Array.from({ length: 30 }, (_, day) => {
  if (day === 29) return "k d";
  if (day === 11) return "t";
  return day === 21 ? "f" : "k";
});

/** A ribbon of thirty days as illustration; it shows no user's data. */
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
          // biome-ignore lint/suspicious/noArrayIndexKey: -- a fixed picture; a day is identified by its index
          <i key={day} className={shape} />
        ))}
      </span>
    </div>
  );
}
