import { endpoint } from "../endpoint.ts";
import { refused } from "../errors.ts";
import { emit, emitUpdate } from "../events.ts";
import { page } from "../lists.ts";
import { bool, id, listParams, metadata, params, strings, text } from "../params.ts";
import { plain } from "../render.ts";
import type { StripeWorld } from "../state.ts";
import { all, find, get, newId, nowOf, put } from "../store.ts";
import { merged } from "./customers.ts";

const productFields = {
  active: bool.optional(),
  description: text.optional(),
  metadata: metadata.optional(),
  statement_descriptor: text.optional(),
  tax_code: text.optional(),
  unit_label: text.optional(),
  url: text.optional(),
};

export const productRoutes = [
  endpoint(
    "POST /v1/products",
    params({ ...productFields, name: id, id: id.optional() }),
    ({ world, params }) => {
      if (params.id !== undefined && find(world, "product", params.id)) {
        throw refused("Product already exists.", { code: "resource_already_exists", param: "id" });
      }
      const at = nowOf(world);
      const product = put(world, "product", {
        id: params.id ?? newId("prod", 14),
        object: "product",
        active: params.active ?? true,
        created: at,
        description: params.description ?? null,
        livemode: false,
        metadata: params.metadata ?? {},
        name: params.name,
        updated: at,
        ...{
          default_price: null,
          images: [],
          marketing_features: [],
          package_dimensions: null,
          shippable: null,
        },
        ...{ statement_descriptor: params.statement_descriptor ?? null, tax_code: params.tax_code ?? null },
        ...{
          tax_details: null,
          type: "service",
          unit_label: params.unit_label ?? null,
          url: params.url ?? null,
        },
      });
      emit(world, "product.created", product);
      return product;
    },
  ),
  endpoint("GET /v1/products/{id}", params({}), ({ world, id }) => get(world, "product", id, "id")),
  endpoint(
    "POST /v1/products/{id}",
    params({ ...productFields, name: id.optional() }),
    ({ world, id, params: { metadata: marks, expand: _, ...given } }) => {
      const product = get(world, "product", id, "id");
      const before = plain(world, product);
      const set = Object.entries(given).filter(([, value]) => value !== undefined);
      Object.assign(product, Object.fromEntries(set), { updated: nowOf(world) });
      product.metadata = merged(product.metadata, marks);
      emitUpdate(world, "product.updated", product, before);
      return product;
    },
  ),
  endpoint("GET /v1/products", listParams({ active: bool.optional(), ids: strings.optional() }), (call) => {
    const { active, ids } = call.params;
    const found = all(call.world, "product").filter(
      (each) => (active ?? each.active) === each.active && (ids?.includes(each.id) ?? true),
    );
    return page(found, call.params, call.url);
  }),
];

/** A product that a price brings with it, not stored. @throws StripeFault without a name */
export function productFrom(world: StripeWorld, name: string) {
  if (name === "")
    throw refused("Missing required param: product.", { code: "parameter_missing", param: "product" });
  const at = nowOf(world);
  return {
    ...({ id: newId("prod", 14), object: "product", active: true, created: at, description: null } as const),
    ...({ livemode: false, metadata: {}, name, updated: at } as const),
    ...{ default_price: null, images: [], marketing_features: [], package_dimensions: null, shippable: null },
    ...{ tax_code: null, tax_details: null, type: "service", url: null },
  };
}
