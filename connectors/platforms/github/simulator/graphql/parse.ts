/** A value in a document: a literal, a variable's name, a list or an object of values. */
export type ValueNode =
  | { kind: "literal"; value: string | number | boolean | null }
  | { kind: "variable"; name: string }
  | { kind: "list"; items: ValueNode[] }
  | { kind: "object"; fields: [string, ValueNode][] };

/** `@include` and `@skip`. */
export type DirectiveNode = { name: string; args: [string, ValueNode][] };

/** One selection. */
export type Selection =
  | {
      kind: "field";
      alias: string;
      name: string;
      args: [string, ValueNode][];
      directives: DirectiveNode[];
      selections: Selection[] | null;
      line: number;
      column: number;
    }
  | { kind: "spread"; fragment: string; directives: DirectiveNode[] }
  | { kind: "inline"; on: string | null; directives: DirectiveNode[]; selections: Selection[] };

/** A query or a mutation. */
export type Operation = {
  type: "query" | "mutation";
  name: string | null;
  variables: { name: string; isRequired: boolean; fallback: ValueNode | null }[];
  selections: Selection[];
};

/** A whole document. */
export type Document = {
  operations: Operation[];
  fragments: Map<string, { on: string; selections: Selection[] }>;
};

/** A syntax error in a document. */
export class GraphqlSyntaxError extends Error {
  readonly line: number;
  readonly column: number;
  constructor(message: string, line: number, column: number) {
    super(message);
    this.line = line;
    this.column = column;
  }
}

type Token = {
  kind: "name" | "number" | "string" | "mark" | "end";
  text: string;
  line: number;
  column: number;
};

const TOKEN =
  /\s+|,|#[^\n]*|(?<name>[_A-Za-z]\w*)|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<block>"""[\s\S]*?""")|(?<string>"(?:\\.|[^"\\\n])*")|(?<mark>\.\.\.|[!$()\]:=@[{|}])/y;

function tokens(source: string): Token[] {
  const found: Token[] = [];
  let line = 1;
  let lineStart = 0;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const at = TOKEN.lastIndex;
    const column = at - lineStart + 1;
    const match = TOKEN.exec(source);
    if (!match) throw new GraphqlSyntaxError(`Parse error on "${source[at]}"`, line, column);
    const { name, number, block, string, mark } = match.groups ?? {};
    if (name !== undefined) found.push({ kind: "name", text: name, line, column });
    else if (number !== undefined) found.push({ kind: "number", text: number, line, column });
    else if (block !== undefined) found.push({ kind: "string", text: block.slice(3, -3), line, column });
    else if (string !== undefined) {
      found.push({ kind: "string", text: JSON.parse(string) as string, line, column });
    } else if (mark !== undefined) found.push({ kind: "mark", text: mark, line, column });
    for (let index = at; index < at + match[0].length; index += 1) {
      if (source[index] !== "\n") continue;
      line += 1;
      lineStart = index + 1;
    }
  }
  found.push({ kind: "end", text: "end of the document", line, column: 1 });
  return found;
}

/** Parses a GraphQL document. Supports what GitHub's clients use: no subscriptions and no type system. */
export function parseDocument(source: string): Document {
  const list = tokens(source);
  let index = 0;
  const peek = () => list[index] as Token;
  const next = () => {
    index += 1;
    return list[index - 1] as Token;
  };
  const fail = (token: Token): never => {
    throw new GraphqlSyntaxError(`Parse error on "${token.text}"`, token.line, token.column);
  };
  const isMark = (text: string) => peek().kind === "mark" && peek().text === text;
  const take = (text: string) => {
    if (!isMark(text)) return false;
    next();
    return true;
  };
  const expect = (text: string) => {
    if (!take(text)) fail(peek());
  };
  const name = () => {
    const token = next();
    return token.kind === "name" ? token.text : fail(token);
  };

  const value = (): ValueNode => {
    if (take("$")) return { kind: "variable", name: name() };
    if (take("[")) {
      const items: ValueNode[] = [];
      while (!take("]")) items.push(value());
      return { kind: "list", items };
    }
    if (take("{")) {
      const fields: [string, ValueNode][] = [];
      while (!take("}")) fields.push(pair());
      return { kind: "object", fields };
    }
    const token = next();
    if (token.kind === "string") return { kind: "literal", value: token.text };
    if (token.kind === "number") return { kind: "literal", value: Number(token.text) };
    if (token.kind !== "name") return fail(token);
    const words: Record<string, boolean | null> = { true: true, false: false, null: null };
    // Any other word is an enum value.
    return { kind: "literal", value: token.text in words ? (words[token.text] ?? null) : token.text };
  };
  const pair = (): [string, ValueNode] => {
    const key = name();
    expect(":");
    return [key, value()];
  };
  const args = (): [string, ValueNode][] => {
    const found: [string, ValueNode][] = [];
    if (take("(")) while (!take(")")) found.push(pair());
    return found;
  };
  const directives = (): DirectiveNode[] => {
    const found: DirectiveNode[] = [];
    while (take("@")) found.push({ name: name(), args: args() });
    return found;
  };
  const selections = (): Selection[] => {
    expect("{");
    const found: Selection[] = [];
    while (!take("}")) found.push(selection());
    return found;
  };
  const selection = (): Selection => {
    if (take("...")) {
      if (peek().kind === "name" && peek().text !== "on") {
        return { kind: "spread", fragment: name(), directives: directives() };
      }
      const isTyped = peek().kind === "name";
      if (isTyped) next();
      const on = isTyped ? name() : null;
      return { kind: "inline", on, directives: directives(), selections: selections() };
    }
    const { line, column } = peek();
    const first = name();
    const field = take(":") ? name() : first;
    return {
      kind: "field",
      alias: first,
      name: field,
      args: args(),
      directives: directives(),
      selections: isMark("{") ? selections() : null,
      line,
      column,
    };
  };
  const type = (): boolean => {
    if (take("[")) {
      type();
      expect("]");
    } else name();
    return take("!");
  };
  const variables = (): Operation["variables"] => {
    const found: Operation["variables"] = [];
    if (!take("(")) return found;
    while (!take(")")) {
      expect("$");
      const variable = name();
      expect(":");
      const isRequired = type();
      found.push({ name: variable, isRequired, fallback: take("=") ? value() : null });
    }
    return found;
  };

  const document: Document = { operations: [], fragments: new Map() };
  while (peek().kind !== "end") {
    if (isMark("{")) {
      document.operations.push({ type: "query", name: null, variables: [], selections: selections() });
      continue;
    }
    const word = name();
    if (word === "fragment") {
      const fragment = name();
      if (name() !== "on") fail(peek());
      const on = name();
      document.fragments.set(fragment, { on, selections: selections() });
    } else if (word === "query" || word === "mutation") {
      const own = peek().kind === "name" ? name() : null;
      const declared = variables();
      directives();
      document.operations.push({ type: word, name: own, variables: declared, selections: selections() });
    } else fail(peek());
  }
  return document;
}
