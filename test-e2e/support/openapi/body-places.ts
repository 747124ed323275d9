import { type JsonSchema, resolveReference } from './openapi-schema';

/** Where a value stands in a body. */
export type Place = readonly (string | number)[];

/** Every member and every element that the body has, at every depth. */
export function placesIn(body: unknown, at: Place = []): readonly Place[] {
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([name, member]) => {
    const place = [...at, Array.isArray(body) ? Number(name) : name];
    return [place, ...placesIn(member, place)];
  });
}

/** Every member that the schema has, at every depth; a choice of objects has none. */
export function placesOf(schema: JsonSchema, root: JsonSchema, at: Place = []): readonly Place[] {
  const [only, ...others] = choicesOf(schema, root).filter(
    ({ properties, additionalProperties, items }) =>
      (properties ?? additionalProperties ?? items) !== undefined,
  );
  if (only === undefined || others.length > 0) return [];
  const { properties, additionalProperties, items } = only as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly additionalProperties?: JsonSchema | boolean;
    readonly items?: JsonSchema;
  };
  const inner: (readonly [string | number, JsonSchema])[] = Object.entries(properties ?? {});
  if (typeof additionalProperties === 'object') inner.push(['note', additionalProperties]);
  if (items !== undefined) inner.push([0, items]);
  return inner.flatMap(([step, one]) => [[...at, step], ...placesOf(one, root, [...at, step])]);
}

function choicesOf(schema: JsonSchema, root: JsonSchema): readonly JsonSchema[] {
  const { $ref, anyOf } = schema;
  if (typeof $ref === 'string') return choicesOf(resolveReference($ref, root), root);
  return Array.isArray(anyOf) ? anyOf.flatMap((one: JsonSchema) => choicesOf(one, root)) : [schema];
}

/** The body with the value in that place; what is on the way there is made. */
export function withValue(body: unknown, [step, ...rest]: Place, value: unknown): unknown {
  if (step === undefined) return value;
  if (typeof step === 'number') {
    const list = Array.isArray(body) ? [...(body as unknown[])] : [];
    list[step] = withValue(list[step], rest, value);
    return list;
  }
  const isObject = typeof body === 'object' && body !== null;
  const members: Readonly<Record<string, unknown>> = isObject ? { ...body } : {};
  return { ...members, [step]: withValue(members[step], rest, value) };
}
