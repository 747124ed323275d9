import { Double, Int32 } from 'bson';
import { CommandError } from '../errors';
import { compareValues } from '../values/compare';
import { encodeKey } from '../values/index-key';
import { integerResult, plainNumber } from '../values/numbers';
import { isDocument, isNumber, type Value } from '../values/value';

/** Collects one value per document of a group. */
export interface Accumulator {
  add(value: Value | undefined): void;
  result(): Value;
}

/** Most elements that one `$push` or `$addToSet` collects. */
const ELEMENTS_MAX = 1_000_000;

/** Integers are summed exactly; doubles apart, with their rounding errors carried along. */
function createSum() {
  let integers = 0n;
  let doubles = 0;
  let lost = 0;
  let count = 0;
  let sawLong = false;
  let sawDouble = false;
  return {
    add(value: Value | undefined) {
      if (!isNumber(value)) return;
      count += 1;
      if (value instanceof Double) {
        sawDouble = true;
        const next = doubles + value.value;
        const bigger = Math.abs(doubles) >= Math.abs(value.value);
        lost += bigger ? doubles - next + value.value : value.value - next + doubles;
        doubles = next;
      } else {
        sawLong ||= typeof value === 'bigint';
        integers += BigInt(plainNumber(value));
      }
    },
    count: () => count,
    asDouble: () => (Number.isFinite(doubles) ? Number(integers) + (doubles + lost) : doubles),
    total(): Value {
      return sawDouble ? new Double(this.asDouble()) : integerResult(integers, !sawLong);
    },
  };
}

function sum(): Accumulator {
  const state = createSum();
  return { add: state.add, result: () => state.total() };
}

function average(): Accumulator {
  const state = createSum();
  return {
    add: state.add,
    result: () => (state.count() === 0 ? null : new Double(state.asDouble() / state.count())),
  };
}

/** `direction` 1 keeps the greatest, -1 the least; null and missing do not take part. */
function extreme(direction: 1 | -1): Accumulator {
  let best: Value = null;
  return {
    add(value) {
      if (value === undefined || value === null) return;
      if (best === null || compareValues(value, best) * direction > 0) best = value;
    },
    result: () => best,
  };
}

function first(): Accumulator {
  // A null that came first must stand, so that presence is kept apart from the value.
  let seen = false;
  let value: Value = null;
  return {
    add(next) {
      if (!seen) value = next ?? null;
      seen = true;
    },
    result: () => value,
  };
}

function last(): Accumulator {
  let value: Value = null;
  return {
    add(next) {
      value = next ?? null;
    },
    result: () => value,
  };
}

function requireRoom(size: number): void {
  if (size < ELEMENTS_MAX) return;
  throw new CommandError('ExceededMemoryLimit', `a group collects more than ${ELEMENTS_MAX}`);
}

function push(): Accumulator {
  const values: Value[] = [];
  return {
    add(value) {
      if (value === undefined) return;
      requireRoom(values.length);
      values.push(value);
    },
    result: () => values,
  };
}

function addToSet(): Accumulator {
  const values = new Map<string, Value>();
  return {
    add(value) {
      if (value === undefined) return;
      requireRoom(values.size);
      const key = encodeKey(value).toString('latin1');
      if (!values.has(key)) values.set(key, value);
    },
    result: () => [...values.values()],
  };
}

function count(): Accumulator {
  const state = createSum();
  return { add: () => state.add(new Int32(1)), result: () => state.total() };
}

const ACCUMULATORS: ReadonlyMap<string, () => Accumulator> = new Map([
  ['$sum', sum],
  ['$avg', average],
  ['$min', () => extreme(-1)],
  ['$max', () => extreme(1)],
  ['$first', first],
  ['$last', last],
  ['$push', push],
  ['$addToSet', addToSet],
  ['$count', count],
]);

/** The factory of an accumulator and the expression it collects. */
export function parseAccumulator(
  field: string,
  specification: Value,
): { readonly create: () => Accumulator; readonly operand: Value } {
  if (!isDocument(specification) || specification.size !== 1) {
    throw new CommandError('Location40234', `The field '${field}' must be an accumulator object`);
  }
  const [entry] = specification;
  const [name, operand] = entry ?? ['', null];
  const create = ACCUMULATORS.get(name);
  if (create === undefined) {
    throw new CommandError('Location15952', `unknown group operator '${name}'`);
  }
  if (Array.isArray(operand) && name !== '$push' && name !== '$addToSet') {
    throw new CommandError('Location40237', `The ${name} accumulator is a unary operator`);
  }
  return { create, operand };
}
