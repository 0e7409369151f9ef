/**
 * The card form of the payment element. The real one is a frame of Stripe's; this one is a shadow root, which the styles
 * of the page do not reach. No module: the simulator puts the parts into one script.
 */
// biome-ignore lint/correctness/noUnusedVariables: used by the part stripe.js
function createCardForm() {
  const host = document.createElement("div");
  host.className = "StripeElement";
  const root = host.attachShadow({ mode: "open" });
  // A sheet made by script is allowed where the page's policy forbids inline styles.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
      :host { display: block; font: 14px/1.4 system-ui, sans-serif; color: inherit; }
      form { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; margin: 0; }
      label { display: grid; gap: 4px; font-size: 13px; }
      .wide, p { grid-column: 1 / -1; }
      input { padding: 10px 12px; border: 1px solid #8a93a6; border-radius: 6px; font: inherit; font-size: 16px;
        background: #fff; color: #1a1f36; min-width: 0; }
      input[aria-invalid="true"] { border-color: #c0123c; }
      p { margin: 0; color: #c0123c; font-size: 13px; }
      p:empty { display: none; }`);
  root.adoptedStyleSheets = [sheet];
  root.innerHTML = `
    <form novalidate>
      <label class="wide">Card number<input name="number" inputmode="numeric" autocomplete="cc-number" placeholder="1234 1234 1234 1234"></label>
      <label>Expiration date<input name="expiry" inputmode="numeric" autocomplete="cc-exp" placeholder="MM / YY"></label>
      <label>Security code<input name="cvc" inputmode="numeric" autocomplete="cc-csc" placeholder="CVC"></label>
      <label class="wide">ZIP code<input name="zip" autocomplete="postal-code" placeholder="12345"></label>
      <p role="alert"></p>
    </form>`;
  const form = root.querySelector("form");
  const error = root.querySelector("p");
  form.addEventListener("submit", (event) => event.preventDefault());
  const textOf = (name) => form.elements.namedItem(name).value.trim();

  /** What is wrong with the fields, as the real form words it; null = nothing. */
  function complaint() {
    const digits = textOf("number").replaceAll(/\D/g, "");
    const [month = "", year = ""] = textOf("expiry").split(/\s*\/\s*|(?<=^\d\d)(?=\d\d$)/);
    if (digits.length < 13) return ["number", "incomplete_number", "Your card number is incomplete."];
    if (!passesLuhn(digits)) return ["number", "invalid_number", "Your card number is invalid."];
    if (!/^\d{1,2}$/.test(month) || !/^\d{2}$/.test(year)) {
      return ["expiry", "incomplete_expiry", "Your card's expiration date is incomplete."];
    }
    if (!/^\d{3,4}$/.test(textOf("cvc"))) {
      return ["cvc", "incomplete_cvc", "Your card's security code is incomplete."];
    }
    return null;
  }

  return {
    host,
    /** Whether every field is filled in correctly. */
    isComplete: () => complaint() === null,
    onInput: (listener) => form.addEventListener("input", listener),
    focus: () => form.elements.namedItem("number").focus(),
    clear: () => form.reset(),
    /** Shows what is wrong and returns it as an error of Stripe.js; null when nothing is. */
    check() {
      const found = complaint();
      for (const input of form.querySelectorAll("input")) {
        input.setAttribute("aria-invalid", String(found?.[0] === input.name));
      }
      error.textContent = found?.[2] ?? "";
      return found ? { type: "validation_error", code: found[1], message: found[2] } : null;
    },
    /** The fields of a request that creates the payment method. */
    fields() {
      const [month, year] = textOf("expiry").split(/\s*\/\s*|(?<=^\d\d)(?=\d\d$)/);
      return {
        type: "card",
        "card[number]": textOf("number").replaceAll(/\D/g, ""),
        "card[exp_month]": String(Number(month)),
        "card[exp_year]": `20${year}`,
        "card[cvc]": textOf("cvc"),
        "billing_details[address][postal_code]": textOf("zip"),
      };
    },
  };
}

/** The check digit of card numbers (ISO/IEC 7812-1). */
function passesLuhn(digits) {
  let sum = 0;
  for (const [at, digit] of [...digits].reverse().entries()) {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}
