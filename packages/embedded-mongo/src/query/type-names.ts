import { CommandError } from '../errors';
import { toSafeInteger, type Value } from '../values/value';

const NAME_BY_NUMBER: ReadonlyMap<number, string> = new Map([
  [1, 'double'],
  [2, 'string'],
  [3, 'object'],
  [4, 'array'],
  [5, 'binData'],
  [7, 'objectId'],
  [8, 'bool'],
  [9, 'date'],
  [10, 'null'],
  [11, 'regex'],
  [16, 'int'],
  [17, 'timestamp'],
  [18, 'long'],
  [19, 'decimal'],
  [-1, 'minKey'],
  [127, 'maxKey'],
]);

const NAMES: ReadonlySet<string> = new Set(NAME_BY_NUMBER.values());
const NUMBER_NAMES = ['double', 'int', 'long', 'decimal'] as const;

/** The operand of `$type`: a name, a number, or an array of either. */
export function parseTypeNames(operand: Value): ReadonlySet<string> {
  const names = new Set<string>();
  for (const entry of Array.isArray(operand) ? operand : [operand]) {
    if (entry === 'number') {
      for (const name of NUMBER_NAMES) names.add(name);
    } else {
      names.add(parseTypeName(entry));
    }
  }
  if (names.size === 0) throw new CommandError('FailedToParse', '$type must match a type');
  return names;
}

function parseTypeName(entry: Value): string {
  const name =
    typeof entry === 'string' ? entry : NAME_BY_NUMBER.get(toSafeInteger(entry) ?? Number.NaN);
  if (name === undefined || !NAMES.has(name)) {
    throw new CommandError('BadValue', `Unknown type name alias: ${String(entry)}`);
  }
  return name;
}
