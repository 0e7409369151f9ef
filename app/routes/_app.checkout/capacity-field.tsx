import { useId } from "react";
import { checkoutCopy, unitWords } from "#app/copy/checkout.ts";
import { bracketOf, type PriceView } from "#app/money/catalogue-view.ts";
import { countsUsers } from "#app/money/unlimited.ts";
import { usd } from "#app/money/usd.ts";
import type { Choice } from "./choice.ts";

const copy = checkoutCopy.capacity;

/** The steps of the slider: the top of each bracket, and one more than the largest: on request. */
const stopsOf = ({ brackets, maximum }: PriceView) => [...brackets.map(({ to }) => to), maximum + 1];

/**
 * How much is backed up: a slider over the brackets of the price, and a number for an exact quantity (spec B-037). Its
 * last step is "unlimited" (B-304 to B-308, B-311).
 */
export function CapacityField({
  choice,
  price,
  used,
  onChange,
}: {
  choice: Choice;
  price: PriceView;
  /** Null = it is not known yet. */
  used: number | null;
  onChange: (quantity: number) => void;
}) {
  const id = useId();
  const [one, many] = unitWords(choice.platform);
  const stops = stopsOf(price);
  const at = stops.findIndex((to) => choice.quantity <= to);
  const position = at < 0 ? stops.length - 1 : at;
  const isAbove = choice.quantity > price.maximum;
  const name = (to: number) => (to > price.maximum ? copy.above(price.maximum) : String(to));
  return (
    <section aria-labelledby={`${id}-title`}>
      <div className="section-head checkout-head">
        <h2 id={`${id}-title`}>{copy.title}</h2>
        <span className="meta">{todayText(choice.platform, used)}</span>
      </div>
      <div className="capacity-field">
        <div className="capacity-field__range">
          <input
            type="range"
            min={0}
            max={stops.length - 1}
            step={1}
            value={position}
            style={{ backgroundSize: `${(position / (stops.length - 1)) * 100}% 4px, 100% 4px` }}
            aria-label={copy.slider}
            aria-valuetext={isAbove ? copy.unlimited : `${name(stops[position] ?? 0)} ${many}`}
            onChange={({ target }) => onChange(stops[Number(target.value)] ?? price.proposed)}
          />
          <div className="capacity-field__ticks" aria-hidden>
            {stops.map((to) => (
              <span key={to}>{name(to)}</span>
            ))}
          </div>
        </div>
        <span className="text-field text-field-l">
          {isAbove ? (
            <output className="medium">{copy.unlimited}</output>
          ) : (
            <>
              <input
                className="mono"
                type="number"
                inputMode="numeric"
                min={price.minimum}
                max={price.maximum + 1}
                value={choice.quantity}
                aria-label={copy.number(many)}
                onChange={({ target }) => onChange(numberOf(target.value, price.maximum))}
              />
              <span className="meta">{choice.quantity === 1 ? one : many}</span>
            </>
          )}
        </span>
      </div>
      <p className="meta capacity-field__note">{noteOf(choice, price, used)}</p>
      {countsUsers(choice.platform) && <p className="meta capacity-field__note">{copy.follows}</p>}
    </section>
  );
}

/** How much there is today. */
function todayText(platform: string, used: number | null): string {
  const [one, many] = unitWords(platform);
  if (used === null) return copy.notCounted(many);
  const units = used === 1 ? one : many;
  return countsUsers(platform) ? copy.has(used, units) : copy.today(used, units);
}

/** What the quantity means for the price. There is no room in a plan that holds fewer than are used. */
function noteOf({ platform, quantity }: Choice, price: PriceView, used: number | null): string {
  const [one, many] = unitWords(platform);
  if (quantity > price.maximum) return copy.onRequest(price.maximum, many);
  const bracket = bracketOf(price, quantity);
  if (!bracket) return copy.empty;
  if (quantity < price.minimum) return copy.least(price.minimum, many);
  if (price.isUnit) return copy.each(bracket.from, bracket.to, usd(bracket.cents), one);
  return copy.same(bracket.from, bracket.to, bracket.to - Math.max(quantity, used ?? 0));
}

function numberOf(text: string, maximum: number): number {
  const number = Math.floor(Number(text));
  return Number.isFinite(number) ? Math.min(Math.max(0, number), maximum + 1) : 0;
}
