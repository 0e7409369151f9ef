import { DaysRibbon } from "#app/components/days-ribbon.tsx";

/** Also a day with one backup of two, and one that failed. */
const DAYS = Array.from({ length: 30 }, (_, day) => {
  if (day === 29) return "k d";
  if (day === 11) return "t";
  return day === 21 ? "f" : "k";
});

/** The ribbon above the pages before sign-in, which runs on to both sides. */
export function AuthRibbon({ label }: { label: string }) {
  return (
    <div className="auth__ribbon">
      <DaysRibbon label={label} height={28} days={DAYS} />
    </div>
  );
}
