/** The part of JSON Schema that our event schemas make use of. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** One field of an event. */
export interface Field {
  /** Names from the outside in, with dots between them. */
  readonly path: string;
  readonly type: string;
  readonly description: string;
}

/** The fields of one shape; an event whose data has a discriminator has several shapes. */
export interface Shape {
  /** Such as `kind` = `usage`; empty when there is one shape only. */
  readonly title: string;
  readonly fields: readonly Field[];
}

/** Names a schema that is described elsewhere, so that it is not described twice. */
export type FindKnown = (schema: JsonSchema) => string | undefined;

/** The shapes of an object, or of a union of objects. */
export function listShapes(schema: JsonSchema, findKnown: FindKnown): readonly Shape[] {
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants === undefined) return [{ title: '', fields: listFields(schema, '', findKnown) }];
  return variants.map((variant) => ({
    title: discriminatorOf(variant),
    fields: listFields(variant, '', findKnown),
  }));
}

function discriminatorOf({ properties = {} }: JsonSchema): string {
  const found = Object.entries(properties).find(([, property]) => property.const !== undefined);
  if (found === undefined) throw new Error('shapes of a union need a field that tells them apart');
  return `\`${found[0]}\` = \`${String(found[1].const)}\``;
}

function listFields(schema: JsonSchema, prefix: string, findKnown: FindKnown): readonly Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    const { inner, nullable } = withoutNull(property);
    const known = findKnown(inner);
    const type = known ?? describeList(inner, findKnown) ?? describeType(inner);
    const field: Field = {
      path: schema.required?.includes(name) === false ? `${path} (may be absent)` : path,
      type: nullable && type !== 'null' ? `${type} or null` : type,
      description: property.description ?? inner.description ?? describeConstant(inner),
    };
    if (known !== undefined || inner.properties === undefined) return [field];
    return [field, ...listFields(inner, `${path}.`, findKnown)];
  });
}

/** A list of what is described elsewhere. */
function describeList({ items }: JsonSchema, findKnown: FindKnown): string | undefined {
  const known = items && findKnown(items);
  return known && `list of ${known}`;
}

/** A field that tells shapes apart needs no sentence of its own. */
function describeConstant(schema: JsonSchema): string {
  if (schema.const !== undefined) return 'Tells this shape from the others.';
  return schema.type === 'null' ? 'Has a value in another shape.' : '';
}

function withoutNull(schema: JsonSchema): { inner: JsonSchema; nullable: boolean } {
  if (Array.isArray(schema.type)) {
    const types = (schema.type as readonly string[]).filter((type) => type !== 'null');
    const [only] = types;
    if (types.length === 1 && only !== undefined) {
      return { inner: { ...schema, type: only }, nullable: true };
    }
  }
  const others = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  const [only] = others;
  if (others.length === 1 && only !== undefined) return { inner: only, nullable: true };
  return { inner: schema, nullable: schema.type === 'null' };
}

function describeType(schema: JsonSchema): string {
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (schema.enum !== undefined) {
    const values = schema.enum.filter((value) => value !== null);
    return values.map((value) => `\`${String(value)}\``).join(', ');
  }
  if (schema.type === 'array') return `list of ${describeType(schema.items ?? {})}`;
  if (schema.format === 'date-time') return 'time';
  if (typeof schema.type === 'string') return schema.type;
  throw new Error(`no type in ${JSON.stringify(schema)}`);
}
