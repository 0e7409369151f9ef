import type { Options } from "micromark";

type Extension = Exclude<NonNullable<Options["extensions"]>[number], unknown[]>;
type HtmlExtension = NonNullable<Options["htmlExtensions"]>[number];
type Construct = Exclude<NonNullable<NonNullable<Extension["text"]>[number]>, unknown[]>;
type State = ReturnType<Construct["tokenize"]>;
type Handle = NonNullable<NonNullable<HtmlExtension["enter"]>[TokenType]>;
/** The tables of GitHub's Markdown set it, and their types are not loaded here. */
type DataKey = Parameters<ThisParameterType<Handle>["getData"]>[0];
type TokenType = Parameters<Parameters<Construct["tokenize"]>[0]["enter"]>[0];

const DOLLAR = 36;
const BACKTICK = 96;
const FORMULA = "inlineFormula" as string as TokenType;

const tokenize: Construct["tokenize"] = (effects, ok, nok) => {
  let open = 0;
  let close = 0;
  const opening: State = (code) => {
    if (code !== BACKTICK) return open === 0 ? nok(code) : inside(code);
    effects.consume(code);
    open += 1;
    return opening;
  };
  const inside: State = (code) => {
    if (code === null) return nok(code);
    effects.consume(code);
    close = code === BACKTICK ? 1 : 0;
    return close === 0 ? inside : closing;
  };
  const closing: State = (code) => {
    if (code === BACKTICK) {
      effects.consume(code);
      close += 1;
      return closing;
    }
    if (close !== open) return inside(code);
    // The code span ends here: without a dollar sign it is no formula.
    if (code !== DOLLAR) return nok(code);
    effects.consume(code);
    effects.exit(FORMULA);
    return ok;
  };
  return (code) => {
    effects.enter(FORMULA);
    effects.consume(code);
    return opening;
  };
};

/**
 * A formula inside a line: a code span between dollar signs, such as $`a^2`$. GitHub introduced this form beside `$a$`,
 * which prices trigger. An escaped dollar sign begins no formula, and code alone is none.
 */
export const inlineFormula: Extension = { text: { [DOLLAR]: { name: "inlineFormula", tokenize } } };

const begin: Handle = function () {
  this.tag('<code class="formula">');
};

const finish: Handle = function (token) {
  const span = this.sliceSerialize(token).slice(1, -1);
  const width = span.search(/[^`]/);
  const latex = span.slice(width, -width).replace(/\s+/g, " ").trim();
  // A table's cell escapes bars in code as well.
  this.raw(this.encode(this.getData("tableAlign" as DataKey) ? latex.replaceAll("\\|", "|") : latex));
  this.tag("</code>");
};

/** Writes a formula as `<code class="formula">` with its LaTeX; other code spans have no class. */
export const inlineFormulaHtml: HtmlExtension = {
  enter: { [FORMULA]: begin },
  exit: { [FORMULA]: finish },
};
