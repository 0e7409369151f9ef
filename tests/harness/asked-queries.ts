/** A database that notes the text of each query in `asked`. A batch is one query. */
export function askedQueries(database: D1Database, asked: string[]): D1Database {
  const statements = new WeakMap<object, { plain: D1PreparedStatement; sql: string }>();
  const wrap = (plain: D1PreparedStatement, sql: string): D1PreparedStatement => {
    const noting = new Proxy(plain, {
      get: (target, name) => {
        if (name === "bind") return (...values: unknown[]) => wrap(target.bind(...values), sql);
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return (...given: unknown[]) => {
          asked.push(sql);
          return member.apply(target, given);
        };
      },
    });
    statements.set(noting, { plain, sql });
    return noting;
  };
  return new Proxy(database, {
    get: (target, name) => {
      if (name === "withSession") {
        return (...start: [string]) =>
          askedQueries(target.withSession(...start) as unknown as D1Database, asked);
      }
      if (name === "prepare") return (sql: string) => wrap(target.prepare(sql), sql);
      if (name === "batch") {
        return (given: D1PreparedStatement[]) => {
          const known = given.map((each) => statements.get(each));
          asked.push(`batch: ${known.map((each) => each?.sql).join("; ")}`);
          return target.batch(given.map((each, at) => known[at]?.plain ?? each));
        };
      }
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
