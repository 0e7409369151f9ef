/** Stands for `cloudflare:workers` outside of workerd: the base class of Durable Objects. */
export class DurableObject<E = unknown> {
  protected readonly ctx: DurableObjectState;
  protected readonly env: E;

  constructor(ctx: DurableObjectState, env: E) {
    this.ctx = ctx;
    this.env = env;
  }
}
