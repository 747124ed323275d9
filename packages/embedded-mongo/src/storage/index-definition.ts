import { Int32 } from 'bson';
import { CommandError } from '../errors';
import { type Filter, parseFilter } from '../query/filter';
import { requireDocument } from '../values/documents';
import { type FieldPath, parsePath } from '../values/path';
import { type Document, isDocument, isTruthy, toSafeInteger, type Value } from '../values/value';

/** One field of an index: 1 ascending, -1 descending. */
export interface IndexField {
  readonly name: string;
  readonly path: FieldPath;
  readonly direction: 1 | -1;
}

/** An index as declared by `createIndexes`. */
export interface IndexDefinition {
  readonly name: string;
  readonly fields: readonly IndexField[];
  readonly directions: readonly (1 | -1)[];
  readonly unique: boolean;
  readonly sparse: boolean;
  /** The partial filter: only documents that satisfy it are in the index. */
  readonly partial: Filter | undefined;
  /** Seconds after which a document expires, counted from its date in the only field. */
  readonly expireAfterSeconds: number | undefined;
  /** As `listIndexes` answers it. */
  readonly specification: Document;
}

/** The name of the index that every collection has. */
export const ID_INDEX_NAME = '_id_';

const INDEX_FIELDS_MAX = 32;
const EXPIRE_SECONDS_MAX = 2_147_483_647;

const KNOWN_OPTIONS: ReadonlySet<string> = new Set([
  'v',
  'key',
  'name',
  'unique',
  'sparse',
  'partialFilterExpression',
  'expireAfterSeconds',
]);

/** The index on `_id`, which is the documents' own primary key. */
export const ID_INDEX: IndexDefinition = parseIndexDefinition(
  new Map<string, Value>([
    ['key', new Map([['_id', new Int32(1)]])],
    ['name', ID_INDEX_NAME],
  ]),
);

/** Reads one entry of `createIndexes`; an option outside the closed list is an error. */
export function parseIndexDefinition(specification: Document): IndexDefinition {
  for (const option of specification.keys()) {
    if (!KNOWN_OPTIONS.has(option)) {
      throw new CommandError('InvalidOptions', `The index option '${option}' is not supported`);
    }
  }
  const name = specification.get('name');
  if (typeof name !== 'string' || name === '') {
    throw new CommandError('FailedToParse', "The 'name' field is a required property of an index");
  }
  const fields = parseFields(requireDocument(specification.get('key'), 'key'));
  const filter = specification.get('partialFilterExpression');
  const sparse = isTruthy(specification.get('sparse'));
  if (filter !== undefined && sparse) {
    throw new CommandError('CannotCreateIndex', 'cannot mix partialFilterExpression and sparse');
  }
  const base = {
    name,
    fields,
    directions: fields.map((field) => field.direction),
    unique: isTruthy(specification.get('unique')),
    sparse,
    partial:
      filter === undefined
        ? undefined
        : parseFilter(requireDocument(filter, 'partialFilterExpression')),
    expireAfterSeconds: parseExpiry(specification.get('expireAfterSeconds'), fields),
  };
  return { ...base, specification: toSpecification(base, specification) };
}

function parseFields(key: Document): readonly IndexField[] {
  if (key.size === 0 || key.size > INDEX_FIELDS_MAX) {
    throw new CommandError('CannotCreateIndex', `an index has 1 to ${INDEX_FIELDS_MAX} fields`);
  }
  return [...key].map(([name, order]) => {
    const direction = toSafeInteger(order);
    if (direction !== 1 && direction !== -1) {
      throw new CommandError(
        'CannotCreateIndex',
        `Only ascending (1) and descending (-1) indexes are supported, see field '${name}'`,
      );
    }
    if (name.includes('$')) {
      throw new CommandError('CannotCreateIndex', `Index key '${name}' contains '$'`);
    }
    return { name, path: parsePath(name), direction };
  });
}

function parseExpiry(value: Value | undefined, fields: readonly IndexField[]): number | undefined {
  if (value === undefined) return undefined;
  const seconds = toSafeInteger(value);
  if (seconds === undefined || seconds < 0 || seconds > EXPIRE_SECONDS_MAX) {
    throw new CommandError(
      'InvalidOptions',
      `expireAfterSeconds must be a whole number from 0 to ${EXPIRE_SECONDS_MAX}`,
    );
  }
  if (fields.length !== 1 || fields[0]?.name === '_id') {
    throw new CommandError('CannotCreateIndex', 'TTL indexes are single-field, and not on _id');
  }
  return seconds;
}

type Parsed = Omit<IndexDefinition, 'specification'>;

function toSpecification(index: Parsed, given: Document): Document {
  const specification: Document = new Map<string, Value>([['v', new Int32(2)]]);
  specification.set(
    'key',
    new Map(index.fields.map((field) => [field.name, new Int32(field.direction)])),
  );
  specification.set('name', index.name);
  if (index.unique) specification.set('unique', true);
  if (index.sparse) specification.set('sparse', true);
  const filter = given.get('partialFilterExpression');
  if (isDocument(filter)) specification.set('partialFilterExpression', filter);
  if (index.expireAfterSeconds !== undefined) {
    specification.set('expireAfterSeconds', new Int32(index.expireAfterSeconds));
  }
  return specification;
}
