import fc from 'fast-check';
import type { Operation } from '../../support/openapi/openapi-document';
import type { JsonSchema } from '../../support/openapi/openapi-schema';

/** What a client that knows only the document may send to an operation. */
export interface DocumentedInput {
  readonly query: Readonly<Record<string, unknown>>;
  /** Undefined where the operation takes none, and sometimes where it may be left out. */
  readonly body: unknown;
}

/** Inputs of the operation as its schemas describe them, the same ones for the same seed. */
export function sampleInputs(
  { parameters, body }: Operation,
  { count, seed }: { readonly count: number; readonly seed: number },
): readonly DocumentedInput[] {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const query = fc.record(
    Object.fromEntries(inQuery.map(({ name, schema }) => [name, valuesOf(schema)])),
    { requiredKeys: inQuery.filter(({ required }) => required).map(({ name }) => name) },
  );
  const schema = body?.content['application/json']?.schema;
  const ofBody = schema === undefined ? fc.constant(undefined) : valuesOf(schema);
  return fc.sample(fc.record({ query, body: ofBody }), { numRuns: count, seed });
}

const ITEMS_MAX = 4;
const TEXT_MAX = 60;

/** Values that the schema accepts, its bounds among them. */
function valuesOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { type, enum: choices, anyOf } = schema;
  if (Array.isArray(choices)) return fc.constantFrom<unknown>(...(choices as unknown[]));
  if (Array.isArray(anyOf)) return fc.oneof(...(anyOf as JsonSchema[]).map(valuesOf));
  if (Array.isArray(type)) {
    return fc.oneof(...(type as string[]).map((one) => valuesOf({ ...schema, type: one })));
  }
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return integerOf(schema);
    case 'string':
      return textOf(schema);
    case 'array':
      return listOf(schema);
    case 'object':
      return objectOf(schema);
    default:
      throw new Error(`no values for ${JSON.stringify(schema)}`);
  }
}

function integerOf({ minimum, maximum }: JsonSchema): fc.Arbitrary<number> {
  if (typeof minimum !== 'number' || typeof maximum !== 'number') throw new Error('no bounds');
  return fc.oneof(
    fc.constantFrom(minimum, maximum),
    fc.integer({ min: minimum, max: maximum }),
    fc.integer({ min: minimum, max: Math.min(maximum, minimum + 10) }),
  );
}

/** Lengths count UTF-16 code units, as the document says of itself. */
function textOf({ pattern, format, minLength, maxLength }: JsonSchema): fc.Arbitrary<string> {
  const min = Number(minLength ?? 0);
  const max = Number(maxLength ?? Number.POSITIVE_INFINITY);
  const fits = ({ length }: string) => length >= min && length <= max;
  if (typeof pattern === 'string') {
    const matching = new RegExp(pattern, 'u');
    // What must not follow is left to the filter: the generator knows no assertions.
    const plain = pattern.replaceAll(/\(\?!(?:[^()]|\([^()]*\))*\)/g, '');
    return fc
      .stringMatching(new RegExp(plain, 'u'), { size: 'small' })
      .filter((text) => fits(text) && matching.test(text));
  }
  if (format === 'date-time') return timeOf();
  if (format !== undefined) throw new Error(`no texts of the format ${JSON.stringify(format)}`);
  if (max === Number.POSITIVE_INFINITY) throw new Error('a text without a bound');
  const some = { minLength: min, maxLength: Math.max(min, Math.min(max, TEXT_MAX)) };
  return fc
    .oneof(
      fc.string(some),
      fc.string({ ...some, unit: 'grapheme' }),
      fc.string({ ...some, unit: 'binary' }),
      fc.constant('x'.repeat(max)),
    )
    .filter(fits);
}

function timeOf(): fc.Arbitrary<string> {
  const min = new Date('1970-01-01T00:00:00Z');
  const max = new Date('9998-12-31T00:00:00Z');
  return fc
    .tuple(
      fc.date({ min, max, noInvalidDate: true }),
      fc.constantFrom('Z', '+00:00', '-08:00', '+05:45'),
    )
    .map(([time, zone]) => time.toISOString().replace('Z', zone));
}

function listOf({ items, minItems, maxItems }: JsonSchema): fc.Arbitrary<unknown[]> {
  const min = Number(minItems ?? 0);
  const max = Math.min(Number(maxItems ?? ITEMS_MAX), Math.max(min, ITEMS_MAX));
  return fc.array(valuesOf(items as JsonSchema), { minLength: min, maxLength: max });
}

function objectOf(schema: JsonSchema): fc.Arbitrary<object> {
  const {
    properties = {},
    required = [],
    additionalProperties,
    propertyNames,
    maxProperties,
  } = schema as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
    readonly additionalProperties?: JsonSchema | boolean;
    readonly propertyNames?: JsonSchema;
    readonly maxProperties?: number;
  };
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [name, valuesOf(member)]),
  );
  if (typeof additionalProperties !== 'object') {
    return fc.record(members, { requiredKeys: [...required] });
  }
  return fc.dictionary(
    valuesOf(propertyNames ?? {}) as fc.Arbitrary<string>,
    valuesOf(additionalProperties),
    {
      maxKeys: maxProperties ?? ITEMS_MAX,
      noNullPrototype: true,
    },
  );
}
