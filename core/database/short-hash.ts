/** Characters of a hash that an index holds in place of all 64: 32 bits, and it is asked for one item at a time. */
const LENGTH = 8;

/** SQL of the column of such an index. A reader names the same expression, or SQLite does not use the index. */
export const shortHash = (column: string) => `substr(${column}, 1, ${LENGTH})`;

/** What that column holds for a hash. */
export const shortened = (hash: string) => hash.slice(0, LENGTH);

/** SQL that is true when the whole hash in a column equals another, found by the index. */
export const sameHash = (column: string, hash: string) =>
  `(${shortHash(column)} = ${shortHash(hash)} AND ${column} = ${hash})`;

/** The same column of a hash that is kept as its bytes. */
export const shortBytes = (column: string) => `substr(${column}, 1, ${LENGTH / 2})`;

/** SQL of a hash as a table keeps it: the bytes that its digits mean. What is no such text stays as it is. */
export const hashBytes = (text: string) => `coalesce(unhex(${text}), ${text})`;

/** SQL of the digits of a hash in such a table. */
export const hashText = (column: string) =>
  `iif(typeof(${column}) = 'blob', lower(hex(${column})), ${column})`;
