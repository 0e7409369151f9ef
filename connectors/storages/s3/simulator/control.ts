import { Hono } from "hono";
import { z } from "zod";
import { deleteObject, dropBytes, putObject, readBytes } from "./objects.ts";
import { findBucket, type S3World } from "./state.ts";

const bucketOrder = z.strictObject({ name: z.string(), region: z.string().default("us-west-2") });
const may = z.enum(["read", "write", "delete", "list"]);
const keyOrder = z.strictObject({
  accessKeyId: z.string(),
  secretAccessKey: z.string().optional(),
  isActive: z.boolean().optional(),
  may: z.array(may).optional(),
});
const settingsOrder = z.strictObject({
  capacityBytes: z.number().int().min(0).nullable().optional(),
  minPartBytes: z.number().int().min(1).optional(),
  checksClock: z.boolean().optional(),
  regionAnswer: z.enum(["permanent-redirect", "header-malformed"]).optional(),
});
const objectName = z.object({ bucket: z.string(), key: z.string() });

/** Actions of the buckets' owner: `/__sim/s3/…`. */
export function controlRoutes(world: S3World): Hono {
  const app = new Hono().basePath("/s3");
  app.onError((error, c) => c.json({ message: error.message }, 400));
  const bucketNamed = (name: string) => {
    const bucket = findBucket(world, name);
    if (!bucket) throw new Error(`There is no bucket ${name}`);
    return bucket;
  };
  app.post("/buckets", async (c) => {
    const order = bucketOrder.parse(await c.req.json());
    if (findBucket(world, order.name)) throw new Error(`There is a bucket ${order.name} already`);
    world.state.buckets.push({ ...order, objects: {}, uploads: [] });
    world.save();
    return c.body(null, 204);
  });
  app.post("/buckets/:name/delete", (c) => {
    const bucket = bucketNamed(c.req.param("name"));
    for (const object of Object.values(bucket.objects)) dropBytes(world, object);
    for (const { parts } of bucket.uploads) for (const part of Object.values(parts)) dropBytes(world, part);
    world.state.buckets = world.state.buckets.filter((each) => each !== bucket);
    world.save();
    return c.body(null, 204);
  });
  app.get("/buckets/:name", (c) => {
    const { objects, uploads } = bucketNamed(c.req.param("name"));
    return c.json({
      objects: Object.entries(objects).map(([key, { size, etag, type, meta }]) => ({
        key,
        size,
        etag,
        type,
        meta,
      })),
      uploads: uploads.map(({ id, key, parts }) => ({ id, key, parts: Object.keys(parts).length })),
    });
  });
  app.get("/object", (c) => {
    const { bucket, key } = objectName.parse(c.req.query());
    const object = bucketNamed(bucket).objects[key];
    if (!object) throw new Error(`There is no object ${key}`);
    return c.body(new Uint8Array(readBytes(world, object)));
  });
  app.post("/object/delete", async (c) => {
    const { bucket, key } = objectName.parse(await c.req.json());
    deleteObject(world, bucketNamed(bucket), key);
    return c.body(null, 204);
  });
  app.post("/object/replace", async (c) => {
    const { bucket, key, text } = objectName.extend({ text: z.string() }).parse(await c.req.json());
    putObject(world, bucketNamed(bucket), { key, body: Buffer.from(text), type: "text/plain", meta: {} });
    return c.body(null, 204);
  });
  app.post("/keys", async (c) => {
    const order = keyOrder.parse(await c.req.json());
    const known = world.state.keys.find(({ accessKeyId }) => accessKeyId === order.accessKeyId);
    if (known) Object.assign(known, order);
    else {
      const { secretAccessKey } = order;
      if (secretAccessKey === undefined) throw new Error("A new key needs its secret");
      world.state.keys.push({ isActive: true, may: may.options.slice(), ...order, secretAccessKey });
    }
    world.save();
    return c.body(null, 204);
  });
  app.post("/settings", async (c) => {
    Object.assign(world.settings, settingsOrder.parse(await c.req.json()));
    return c.body(null, 204);
  });
  return app;
}
