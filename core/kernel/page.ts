/** A request for one page of a list. `page` counts from 0, as on the wire (spec part 2 section 7). */
export type PageRequest = { page: number; perPage: number };

/** One page of a list. `total` is null when the source does not report it. */
export type Page<T> = { items: T[]; total: number | null; hasMore: boolean };
