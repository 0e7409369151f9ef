/**
 * A bucket whose bodies are byte streams. The bodies that wrangler's proxy passes to Node are not, and the vault reads
 * with its own buffers. Each answer is read whole: use it only for ranges and small objects.
 */
export function withByteBodies(bucket: R2Bucket): R2Bucket {
  const get = async (key: string, options?: R2GetOptions) => {
    const object = await bucket.get(key, options);
    if (object === null) return null;
    const bytes = await object.arrayBuffer();
    const { size, etag } = object;
    return { size, etag, body: new Response(bytes).body, text: async () => new TextDecoder().decode(bytes) };
  };
  return new Proxy(bucket, {
    get(target, name) {
      if (name === "get") return get;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
