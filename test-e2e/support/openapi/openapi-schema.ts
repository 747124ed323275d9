/** A schema of the document: JSON Schema 2020-12, as far as the document uses it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Where references lead, and how strictly objects are read. */
export interface SchemaContext {
  readonly root: JsonSchema;
  /** Members that a schema does not name are faults, unless it says that it allows more. */
  readonly closed: boolean;
}

type Check = (rule: unknown, value: unknown, at: Position) => readonly string[];

interface Position {
  readonly path: string;
  readonly schema: JsonSchema;
  readonly context: SchemaContext;
}

/** Everything in which the value differs from the schema, each with its path; empty when nothing. */
export function findFaults(
  schema: JsonSchema,
  value: unknown,
  context: SchemaContext,
  path = '$',
): readonly string[] {
  const position: Position = { path, schema, context };
  const faults = Object.entries(schema).flatMap(([keyword, rule]) => {
    if (ANNOTATIONS.has(keyword)) return [];
    const check = CHECKS[keyword];
    // A keyword that nobody checks would make every test pass.
    if (check === undefined) throw new Error(`${path}: the keyword ${keyword} is not known`);
    return check(rule, value, position);
  });
  return [...faults, ...findUnnamed(value, position)];
}

const ANNOTATIONS = new Set(['description', 'example', 'examples', 'default', 'title']);

const CHECKS: Readonly<Record<string, Check>> = {
  $ref: (rule, value, { context, path }) =>
    findFaults(resolveReference(String(rule), context.root), value, context, path),
  type: (rule, value, at) => {
    const types = [rule].flat() as readonly string[];
    return types.some((type) => isOfType(type, value)) ? [] : [fault(at, `is no ${types}`, value)];
  },
  const: (rule, value, at) => (rule === value ? [] : [fault(at, `is not ${rule}`, value)]),
  enum: (rule, value, at) =>
    (rule as readonly unknown[]).includes(value) ? [] : [fault(at, `is none of ${rule}`, value)],
  anyOf: (rule, value, at) => {
    const matching = countMatching(rule, value, at);
    return matching > 0 ? [] : [fault(at, 'matches no alternative', value)];
  },
  oneOf: (rule, value, at) => {
    const matching = countMatching(rule, value, at);
    return matching === 1 ? [] : [fault(at, `matches ${matching} alternatives`, value)];
  },
  properties: (rule, value, { path, context }) =>
    membersOf(value).flatMap(([name, member]) => {
      const schema = (rule as Readonly<Record<string, JsonSchema>>)[name];
      return schema === undefined ? [] : findFaults(schema, member, context, `${path}.${name}`);
    }),
  required: (rule, value, at) =>
    isOfType('object', value)
      ? (rule as readonly string[])
          .filter((name) => !membersOf(value).some(([member]) => member === name))
          .map((name) => fault(at, `lacks ${name}`, value))
      : [],
  additionalProperties: (rule, value, { path, schema, context }) => {
    const unnamed = unnamedMembers(value, schema);
    if (rule === true) return [];
    if (rule === false) return unnamed.map(([name]) => `${path}.${name} is not allowed`);
    return unnamed.flatMap(([name, member]) =>
      findFaults(rule as JsonSchema, member, context, `${path}.${name}`),
    );
  },
  propertyNames: (rule, value, { path, context }) =>
    membersOf(value).flatMap(([name]) =>
      findFaults(rule as JsonSchema, name, context, `${path}'s`),
    ),
  maxProperties: (rule, value, at) => bound(membersOf(value).length, at, (n) => n <= Number(rule)),
  items: (rule, value, { path, context }) =>
    Array.isArray(value)
      ? value.flatMap((item, index) =>
          findFaults(rule as JsonSchema, item, context, `${path}[${index}]`),
        )
      : [],
  minItems: (rule, value, at) => bound(lengthOf(value, 'array'), at, (n) => n >= Number(rule)),
  maxItems: (rule, value, at) => bound(lengthOf(value, 'array'), at, (n) => n <= Number(rule)),
  minLength: (rule, value, at) => bound(lengthOf(value, 'string'), at, (n) => n >= Number(rule)),
  maxLength: (rule, value, at) => bound(lengthOf(value, 'string'), at, (n) => n <= Number(rule)),
  minimum: (rule, value, at) => bound(numberOf(value), at, (n) => n >= Number(rule)),
  maximum: (rule, value, at) => bound(numberOf(value), at, (n) => n <= Number(rule)),
  pattern: (rule, value, at) =>
    typeof value !== 'string' || new RegExp(String(rule), 'u').test(value)
      ? []
      : [fault(at, `does not match ${rule}`, value)],
  format: (rule, value, at) => {
    if (rule !== 'date-time') throw new Error(`${at.path}: the format ${rule} is not known`);
    const matches = typeof value !== 'string' || DATE_TIME.test(value);
    return matches ? [] : [fault(at, 'is no date-time', value)];
  },
};

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** The schema that a `#/...` reference names; throws when there is none. */
export function resolveReference(reference: string, root: JsonSchema): JsonSchema {
  const [start, ...steps] = reference.split('/');
  if (start !== '#') throw new Error(`${reference} leads out of the document`);
  let found: unknown = root;
  for (const step of steps) found = (found as Record<string, unknown> | undefined)?.[step];
  if (found === undefined) throw new Error(`${reference} leads nowhere`);
  return found as JsonSchema;
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    default:
      throw new Error(`the type ${type} is not known`);
  }
}

function countMatching(rule: unknown, value: unknown, { path, context }: Position): number {
  const alternatives = rule as readonly JsonSchema[];
  return alternatives.filter((one) => findFaults(one, value, context, path).length === 0).length;
}

function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isOfType('object', value) ? Object.entries(value as object) : [];
}

function unnamedMembers(value: unknown, schema: JsonSchema) {
  const named = (schema.properties ?? {}) as Readonly<Record<string, unknown>>;
  return membersOf(value).filter(([name]) => !Object.hasOwn(named, name));
}

/** Members that a schema with names says nothing about: the product tells more than it documents. */
function findUnnamed(value: unknown, { path, schema, context }: Position): readonly string[] {
  if (!context.closed || schema.properties === undefined) return [];
  if (schema.additionalProperties !== undefined) return [];
  return unnamedMembers(value, schema).map(([name]) => `${path}.${name} is not documented`);
}

/** Texts in UTF-16 code units, as the document says of itself. */
function lengthOf(value: unknown, type: 'array' | 'string'): number | undefined {
  if (type === 'array') return Array.isArray(value) ? value.length : undefined;
  return typeof value === 'string' ? value.length : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function bound(
  measured: number | undefined,
  at: Position,
  accepts: (value: number) => boolean,
): readonly string[] {
  return measured === undefined || accepts(measured)
    ? []
    : [fault(at, 'is out of bounds', measured)];
}

function fault({ path }: Position, what: string, value: unknown): string {
  return `${path} ${what}: ${JSON.stringify(value)?.slice(0, 80)}`;
}
