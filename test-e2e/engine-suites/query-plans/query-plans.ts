import { findAll, type MongoDocument, runMongoCommand } from '../../engines/mongodb-wire';

/** A command of one shape, as a service sent it to the store. */
export interface RecordedQuery {
  readonly collection: string;
  /** The command, and what it filters and sorts by without the values. */
  readonly shape: string;
  /** The same command in the form that `explain` takes. */
  readonly command: MongoDocument;
}

/** How the store would answer it. */
export interface QueryPlan extends RecordedQuery {
  /** Every stage of the plan that would be taken, for example IXSCAN. */
  readonly stages: readonly string[];
  /** The indexes that it reads, by name. */
  readonly indexes: readonly string[];
}

const PROFILE_BYTES = 256 * 1024 * 1024;
const EVERYTHING = 2;

/** The server writes down every command from now on. */
export async function recordQueries(port: number, database: string): Promise<void> {
  await runMongoCommand(port, database, { profile: 0 });
  const create = { create: 'system.profile', capped: true, size: PROFILE_BYTES };
  await runMongoCommand(port, database, create);
  await runMongoCommand(port, database, { profile: EVERYTHING });
}

/** One command of each shape that was sent since `recordQueries`. */
export async function readRecorded(
  port: number,
  database: string,
): Promise<readonly RecordedQuery[]> {
  const find = { find: 'system.profile', filter: {} };
  const found = new Map<string, RecordedQuery>();
  for (const entry of await findAll(port, database, find)) {
    const query = toRecorded(entry);
    if (query !== undefined) found.set(`${query.collection} ${query.shape}`, query);
  }
  return [...found.values()];
}

/** Nothing more is written down. */
export async function endRecording(port: number, database: string): Promise<void> {
  await runMongoCommand(port, database, { profile: 0 });
}

/** The plan of the recorded command on the documents that there are now. */
export async function explain(
  port: number,
  database: string,
  query: RecordedQuery,
): Promise<QueryPlan> {
  const verbosity = 'queryPlanner';
  const answer = await runMongoCommand(port, database, { explain: query.command, verbosity });
  const taken = [...takenOf(answer)];
  const of = (kind: Taken['kind']) => taken.flatMap((one) => (one.kind === kind ? one.name : []));
  return { ...query, stages: of('stage'), indexes: of('index') };
}

type Command = Record<string, unknown>;

/** Undefined for what reads nothing, such as an insert, and for the store's own commands. */
function toRecorded({ ns, op, command }: MongoDocument): RecordedQuery | undefined {
  const collection = String(ns).slice(String(ns).indexOf('.') + 1);
  if (collection.startsWith('system.') || collection === '$cmd.aggregate') return undefined;
  const sent = toExplainable(collection, String(op), (command ?? {}) as Command);
  if (sent === undefined) return undefined;
  return { collection, shape: describe(sent), command: sent };
}

function toExplainable(collection: string, op: string, command: Command): Command | undefined {
  if (op === 'query') {
    return only(command, ['find', 'filter', 'sort', 'projection', 'limit', 'skip', 'hint']);
  }
  if (op === 'update') {
    return { update: collection, updates: [only(command, ['q', 'u', 'multi', 'upsert', 'hint'])] };
  }
  if (op === 'remove') {
    return { delete: collection, deletes: [only(command, ['q', 'limit', 'hint'])] };
  }
  if (op !== 'command') return undefined;
  if ('findAndModify' in command || 'findandmodify' in command) {
    const members = ['query', 'sort', 'update', 'remove', 'new', 'upsert', 'arrayFilters'];
    return { findAndModify: collection, ...only(command, members) };
  }
  if ('aggregate' in command) {
    return { ...only(command, ['aggregate', 'pipeline', 'hint']), cursor: {} };
  }
  if ('count' in command) return only(command, ['count', 'query', 'limit', 'skip']);
  if ('distinct' in command) return only(command, ['distinct', 'key', 'query']);
  return undefined;
}

function only(command: Command, members: readonly string[]): Command {
  const kept = members.filter((member) => command[member] !== undefined);
  return Object.fromEntries(kept.map((member) => [member, command[member]]));
}

/** Members that say what is asked for; what is written or shown changes no plan. */
const ASKED = ['filter', 'q', 'query', 'sort', 'pipeline', 'key', 'updates', 'deletes'];

function describe(command: Command): string {
  const [name] = Object.keys(command);
  const asked = ASKED.filter((member) => member in command);
  return `${name} ${asked.map((member) => withoutValues(command[member])).join(' ')}`;
}

function withoutValues(value: unknown): string {
  if (Array.isArray(value)) {
    const parts = new Set(value.map(withoutValues));
    return `[${[...parts].join(', ')}]`;
  }
  if (typeof value !== 'object' || value === null || value.constructor !== Object) return '?';
  const members = Object.entries(value).filter(([name]) => name !== 'u');
  return `{${members.map(([name, member]) => `${name}: ${withoutValues(member)}`).join(', ')}}`;
}

/** A part of the plan that would be taken. */
interface Taken {
  readonly kind: 'stage' | 'index';
  readonly name: string;
}

/** Every stage and index but those of plans that were rejected. */
function* takenOf(value: unknown): Generator<Taken> {
  if (Array.isArray(value)) {
    for (const member of value) yield* takenOf(member);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (name === 'rejectedPlans' || name === 'command') continue;
    if (name === 'stage' && typeof member === 'string') yield { kind: 'stage', name: member };
    else if (name === 'indexName') yield { kind: 'index', name: String(member) };
    else if (name === '$sort') yield { kind: 'stage', name: 'SORT' };
    else yield* takenOf(member);
  }
}

/** Documents of which the copies are made: several, because the first may lack members. */
const PATTERNS = 20;
const MULTIPLY_TIMEOUT_MS = 120_000;
/** One copy in so many keeps the values of its pattern: as many are found by a recorded filter. */
const DIFFERENT = 100;

interface Index {
  readonly key: Readonly<Record<string, unknown>>;
  readonly unique?: boolean;
}

async function batchOf<Item>(
  port: number,
  database: string,
  command: Readonly<Record<string, unknown>>,
): Promise<readonly Item[]> {
  const { cursor } = await runMongoCommand(port, database, command);
  return (cursor as { readonly firstBatch: readonly Item[] }).firstBatch;
}

/**
 * Replaces the documents of a collection by many like them. What is indexed differs in most of
 * them; its indexes stay. A collection without documents stays empty, and one that was only read
 * does not exist.
 */
export async function multiply(
  port: number,
  database: string,
  collection: string,
  count: number,
): Promise<void> {
  const listed = { listCollections: 1, filter: { name: collection }, nameOnly: true };
  if ((await batchOf<unknown>(port, database, listed)).length === 0) return;
  const firstBatch = await batchOf<Index>(port, database, { listIndexes: collection });
  const changed: Record<string, unknown> = {};
  for (const { key, unique } of firstBatch) {
    const paths = Object.keys(key).filter((path) => path !== '_id');
    for (const path of paths) changed[path] ??= differing(path, DIFFERENT);
    const last = paths.at(-1);
    if (unique === true && last !== undefined) changed[last] = differing(last, count);
  }
  const pipeline = [
    { $limit: PATTERNS },
    { $group: { _id: null, all: { $push: '$$ROOT' } } },
    { $set: { copy: { $range: [0, count] } } },
    { $unwind: '$copy' },
    {
      $replaceWith: {
        $mergeObjects: [
          { $arrayElemAt: ['$all', { $mod: ['$copy', { $size: '$all' }] }] },
          { _copy: '$copy' },
        ],
      },
    },
    { $set: { ...changed, _id: differing('_id', count) } },
    { $unset: '_copy' },
    { $out: collection },
  ];
  const command = { aggregate: collection, pipeline, cursor: {} };
  await runMongoCommand(port, database, command, MULTIPLY_TIMEOUT_MS);
}

/** The value with the number of the copy, in so many variants; what has none stays as it is. */
function differing(path: string, variants: number): unknown {
  const value = `$${path}`;
  const number = { $mod: ['$_copy', variants] };
  const isA = (type: string) => ({ $eq: [{ $type: value }, type] });
  const withNumber = (text: string) => ({ $concat: [text, '-', { $toString: number }] });
  const item = {
    $cond: [{ $eq: [{ $type: '$$this' }, 'string'] }, withNumber('$$this'), '$$this'],
  };
  const cases: readonly (readonly [unknown, unknown])[] = [
    [isA('missing'), '$$REMOVE'],
    [{ $eq: [number, 0] }, value],
    [isA('string'), withNumber(value)],
    [{ $isNumber: value }, { $add: [value, { $toLong: number }] }],
    [isA('date'), { $add: [value, number] }],
    [isA('array'), { $map: { input: value, in: item } }],
    [isA('object'), { $mergeObjects: [value, { copy: number }] }],
  ];
  return cases.reduceRight<unknown>(
    (otherwise, [condition, result]) => ({ $cond: [condition, result, otherwise] }),
    value,
  );
}
