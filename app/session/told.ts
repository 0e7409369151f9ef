/** A sentence that the address of a page brings: ours, or whoever's the address is. */
export type Told = { text: string; isOurs: boolean };
