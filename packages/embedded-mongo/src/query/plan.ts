import type { Collection } from '../storage/collection';
import { ID_INDEX, type IndexDefinition, type IndexField } from '../storage/index-definition';
import type { IndexTable } from '../storage/index-table';
import type { KeyRange } from '../storage/rows';
import { compareValues, valuesEqual } from '../values/compare';
import { afterPrefix, encodeCompoundKey } from '../values/index-key';
import { typeRank, type Value } from '../values/value';
import type { FieldTest, Filter } from './filter';
import type { SortField } from './sort';

/** How the candidates of a filter are found. */
export type Plan =
  | {
      readonly kind: 'ids';
      readonly ids: readonly Value[];
      /** The filter asks for nothing but these ids, so that no document needs a test. */
      readonly exact: boolean;
    }
  | {
      readonly kind: 'index';
      /** Undefined for the order of _id. */
      readonly index: IndexTable | undefined;
      readonly ranges: readonly KeyRange[];
      readonly reverse: boolean;
      /** The candidates come in the order that was asked for. */
      readonly sorted: boolean;
    }
  | { readonly kind: 'scan' };

/** More ranges than this are not worth an index. */
const RANGES_MAX = 1_000;
/** No key starts with this byte. */
const END_OF_KEYS = Buffer.from([0xff]);

interface Scored {
  readonly plan: Plan;
  readonly score: number;
}

/** Chooses the way with the fewest candidates, as far as the filter alone tells. */
export function planQuery(
  collection: Collection,
  filter: Filter,
  sort: readonly SortField[],
  limited: boolean,
): Plan {
  const constraints = constraintsOf(filter);
  const ids = constraints.get('_id')?.equals;
  if (ids !== undefined) return { kind: 'ids', ids, exact: isExact(filter) };
  let best: Scored = { plan: { kind: 'scan' }, score: 0 };
  const consider = (definition: IndexDefinition, index: IndexTable | undefined) => {
    const multikey = index?.isMultikey() ?? false;
    const scored = scorePlan({ definition, index, multikey, constraints, sort, limited });
    if (scored !== undefined && scored.score > best.score) best = scored;
  };
  consider(ID_INDEX, undefined);
  for (const index of collection.indexes()) {
    if (isUsable(index, constraints)) consider(index.definition, index);
  }
  return best.plan;
}

function isExact(filter: Filter): boolean {
  const kind = filter.length === 1 ? filter[0]?.test.kind : undefined;
  return kind === 'compare' || kind === 'in';
}

/** An index that leaves documents out serves only a filter that leaves them out as well. */
function isUsable(index: IndexTable, constraints: Constraints): boolean {
  const { partial, sparse, fields } = index.definition;
  if (partial !== undefined && !implies(constraints, partial)) return false;
  return !sparse || fields.some((field) => excludesNull(constraints.get(field.name)));
}

/** An index that may answer a filter, with what the filter asks of its fields. */
interface UsableIndex {
  readonly definition: IndexDefinition;
  readonly index: IndexTable | undefined;
  readonly multikey: boolean;
  readonly constraints: Constraints;
  readonly sort: readonly SortField[];
  readonly limited: boolean;
}

/** An equality counts more than a range, a range more than an order. */
function scorePlan(usable: UsableIndex): Scored | undefined {
  const { definition, index, constraints, multikey } = usable;
  const { prefixes, depth } = equalityPrefixes(usable);
  const rangeField = definition.fields[depth];
  const constraint = rangeField === undefined ? undefined : constraints.get(rangeField.name);
  const ranged =
    constraint !== undefined && (constraint.lower !== undefined || constraint.upper !== undefined);
  const direction = prefixes.length === 1 && !multikey ? orderOf(usable, depth) : undefined;
  const sorted = direction !== undefined;
  const ordersWholeIndex = sorted && usable.limited && usable.sort.length > 0;
  if (depth === 0 && !ranged && !ordersWholeIndex) return undefined;
  const ranges = prefixes.map((prefix) =>
    ranged && rangeField !== undefined
      ? rangeAfter(prefix, rangeField, multikey ? oneSided(constraint) : constraint)
      : { from: prefix, to: afterPrefix(prefix) ?? END_OF_KEYS },
  );
  return {
    plan: { kind: 'index', index, ranges, reverse: direction === -1, sorted },
    score: depth * 10 + (ranged ? 5 : 0) + (sorted && usable.sort.length > 0 ? 2 : 0),
  };
}

/** Over an array, each end may be met by an element of its own: only one of them limits the keys. */
function oneSided(constraint: Constraint): Constraint {
  return constraint.lower === undefined ? constraint : { lower: constraint.lower };
}

interface Prefixes {
  readonly prefixes: readonly Buffer[];
  /** Number of leading fields that the prefixes cover. */
  readonly depth: number;
}

function equalityPrefixes(usable: UsableIndex): Prefixes {
  const { definition, constraints } = usable;
  let prefixes: readonly Buffer[] = [Buffer.alloc(0)];
  let depth = 0;
  for (const field of definition.fields) {
    const values = constraints.get(field.name)?.equals;
    if (values === undefined || prefixes.length * values.length > RANGES_MAX) break;
    const keys = distinctKeys(values, field);
    prefixes = prefixes.flatMap((prefix) => keys.map((key) => Buffer.concat([prefix, key])));
    depth += 1;
  }
  return { prefixes, depth };
}

function distinctKeys(values: readonly Value[], field: IndexField): Buffer[] {
  const keys = new Map<string, Buffer>();
  for (const value of values) {
    const key = encodeCompoundKey([value], [field.direction]);
    keys.set(key.toString('latin1'), key);
  }
  return [...keys.values()].sort(Buffer.compare);
}

/** 1 or -1 when walking the index that way yields the sort order, given the fixed prefix. */
function orderOf(usable: UsableIndex, depth: number): 1 | -1 | undefined {
  const { definition, sort, constraints } = usable;
  const fixed = new Set(definition.fields.slice(0, depth).map((field) => field.name));
  const wanted = sort.filter(
    (field) => !fixed.has(field.name) || constraints.get(field.name)?.equals?.length !== 1,
  );
  let direction: 1 | -1 | undefined;
  for (const [at, field] of wanted.entries()) {
    const indexed = definition.fields[depth + at];
    if (indexed === undefined || indexed.name !== field.name) return undefined;
    const needed = indexed.direction === field.direction ? 1 : -1;
    if (direction !== undefined && direction !== needed) return undefined;
    direction = needed;
  }
  return direction ?? 1;
}

/** Keys under `prefix` whose next component lies in the range, within the type of its ends. */
function rangeAfter(prefix: Buffer, field: IndexField, constraint: Constraint): KeyRange {
  const { lower, upper } = constraint;
  const type = typeBytes(lower?.value ?? upper?.value ?? null, field);
  const key = (value: Value) => encodeCompoundKey([value], [field.direction]);
  const low = lower === undefined ? type : key(lower.value);
  const high = upper === undefined ? type : key(upper.value);
  const ascending = field.direction === 1;
  const first = Buffer.concat([prefix, ascending ? low : high]);
  const last = Buffer.concat([prefix, ascending ? high : low]);
  const firstIncluded = (ascending ? lower : upper)?.inclusive ?? true;
  const lastIncluded = (ascending ? upper : lower)?.inclusive ?? true;
  return {
    from: firstIncluded ? first : (afterPrefix(first) ?? END_OF_KEYS),
    to: lastIncluded ? (afterPrefix(last) ?? END_OF_KEYS) : last,
  };
}

/** The byte that every key of the value's type starts with. */
function typeBytes(value: Value, field: IndexField): Buffer {
  const rank = typeRank(value);
  return Buffer.from([field.direction === 1 ? rank : 0xff - rank]);
}

interface RangeEnd {
  readonly value: Value;
  readonly inclusive: boolean;
}

/** The demand of a filter on one field, as far as an index can use it. */
interface Constraint {
  /** The field equals one of these. */
  equals?: readonly Value[];
  lower?: RangeEnd;
  upper?: RangeEnd;
}

/**
 * Constraints by field name. They leave out what no index can use, so a candidate is tested against
 * the whole filter too; only where the filter asks for nothing but ids there is no more to test.
 */
type Constraints = ReadonlyMap<string, Constraint>;

/** The constraints that every match of the filter satisfies. */
function constraintsOf(filter: Filter): Constraints {
  const constraints = new Map<string, Constraint>();
  for (const { name, test } of filter) {
    const constraint = constraints.get(name) ?? {};
    narrow(constraint, test);
    if (Object.keys(constraint).length > 0) constraints.set(name, constraint);
  }
  return constraints;
}

/** An array matches by its elements too: it is no one key range. */
function isPlain(value: Value): boolean {
  return !Array.isArray(value);
}

/**
 * Adds what one test demands. A comparison with null adds no end of a range: it is met by null alone,
 * while `excludesNull` takes it that what has an end leaves null out.
 */
function narrow(constraint: Constraint, test: FieldTest): void {
  if (test.kind === 'in') {
    if (test.operands.every(isPlain)) constraint.equals ??= test.operands;
    return;
  }
  if (test.kind !== 'compare' || !isPlain(test.operand)) return;
  const { comparison, operand: value } = test;
  if (comparison === 'eq') constraint.equals = [value];
  else if (value !== null) {
    const end = { value, inclusive: comparison === 'gte' || comparison === 'lte' };
    if (comparison === 'gt' || comparison === 'gte') {
      constraint.lower = tighter(constraint.lower, end, 1);
    } else constraint.upper = tighter(constraint.upper, end, -1);
  }
}

/** The end that lets fewer keys through: the greater of two lower ones (1), or the smaller (-1). */
function tighter(known: RangeEnd | undefined, next: RangeEnd, sign: 1 | -1): RangeEnd {
  if (known === undefined) return next;
  const order = compareValues(next.value, known.value) * sign;
  const isTighter = order > 0 || (order === 0 && !next.inclusive);
  return isTighter && typeRank(next.value) === typeRank(known.value) ? next : known;
}

/** True when the constraint leaves out null and missing. */
function excludesNull(constraint: Constraint | undefined): boolean {
  if (constraint === undefined) return false;
  if (constraint.equals !== undefined) return constraint.equals.every((value) => value !== null);
  return constraint.lower !== undefined || constraint.upper !== undefined;
}

/** True when every document that meets the constraints satisfies the partial filter. */
function implies(constraints: Constraints, partial: Filter): boolean {
  return partial.every(({ name, test }) => impliesTest(constraints.get(name), test));
}

function impliesTest(constraint: Constraint | undefined, test: FieldTest): boolean {
  if (constraint === undefined) return false;
  if (test.kind === 'exists') return test.expected && excludesNull(constraint);
  const values = constraint.equals;
  if (values === undefined) return false;
  if (test.kind === 'in') {
    return values.every((value) => test.operands.some((operand) => valuesEqual(value, operand)));
  }
  return test.kind === 'compare' && values.every((value) => satisfies(value, test));
}

function satisfies(value: Value, test: Extract<FieldTest, { readonly kind: 'compare' }>): boolean {
  if (typeRank(value) !== typeRank(test.operand)) return false;
  const order = compareValues(value, test.operand);
  switch (test.comparison) {
    case 'eq':
      return order === 0;
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
  }
}
