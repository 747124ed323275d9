import { Int32 } from 'bson';
import { CommandError } from '../errors';
import { parseFilter } from '../query/filter';
import { countMatches, findMatches } from '../query/find';
import { parseProjection, project } from '../query/projection';
import { parseSort } from '../query/sort';
import { valuesEqual } from '../values/compare';
import { requireDocument } from '../values/documents';
import { encodeDocument } from '../values/encode';
import { type Document, describeValue, toSafeInteger, type Value } from '../values/value';
import {
  type Command,
  type CommandContext,
  type CommandDefinition,
  collectionName,
  existingCollection,
  ok,
  optionalCount,
  optionalDocument,
  optionalFlag,
} from './command';
import { cursorMember, FIRST_BATCH_SIZE } from './cursors';

function find(context: CommandContext, command: Command) {
  const { body } = command;
  const filter = parseFilter(optionalDocument(body, 'filter'));
  const sort = parseSort(optionalDocument(body, 'sort'));
  const projection = parseProjection(optionalDocument(body, 'projection'));
  const limit = optionalCount(body, 'limit', 0);
  const batchSize = optionalCount(body, 'batchSize', FIRST_BATCH_SIZE);
  const singleBatch = optionalFlag(body, 'singleBatch');
  const collection = existingCollection(context, command);
  const matches = collection === undefined ? [] : findMatches(collection, { filter, sort, limit });
  const documents = matches.map((match) =>
    projection === undefined
      ? match.stored.body
      : encodeDocument(project(match.document(), projection)),
  );
  const namespace = `${command.database}.${collectionName(command)}`;
  const batch = context.cursors.open(namespace, documents, { batchSize, singleBatch });
  return ok([['cursor', cursorMember(batch, 'firstBatch')]]);
}

function getMore(context: CommandContext, command: Command) {
  const name = command.body.get('collection');
  if (typeof command.argument !== 'bigint' || typeof name !== 'string') {
    throw new CommandError('TypeMismatch', 'getMore needs a cursor id (long) and a collection');
  }
  const namespace = `${command.database}.${name}`;
  const batchSize = optionalCount(command.body, 'batchSize', 0);
  const batch = context.cursors.more(command.argument, namespace, batchSize);
  return ok([['cursor', cursorMember(batch, 'nextBatch')]]);
}

function killCursors(context: CommandContext, command: Command) {
  const ids = command.body.get('cursors');
  if (!Array.isArray(ids)) throw new CommandError('TypeMismatch', "'cursors' must be an array");
  const killed: bigint[] = [];
  const notFound: bigint[] = [];
  for (const value of ids) {
    const id = typeof value === 'bigint' ? value : BigInt(toSafeInteger(value) ?? 0);
    (context.cursors.kill(id) ? killed : notFound).push(id);
  }
  return ok([
    ['cursorsKilled', killed],
    ['cursorsNotFound', notFound],
    ['cursorsAlive', []],
    ['cursorsUnknown', []],
  ]);
}

/** The names of the collections of a database; nothing else is known of them. */
function listCollections(context: CommandContext, command: Command) {
  if (!optionalFlag(command.body, 'nameOnly')) {
    throw new CommandError('BadValue', 'listCollections answers names: it takes nameOnly: true');
  }
  const prefix = `${command.database}.`;
  const documents = context.store
    .collections()
    .filter(({ namespace }) => namespace.startsWith(prefix))
    .map(({ namespace }) => {
      const name = namespace.slice(prefix.length);
      return encodeDocument(new Map(Object.entries({ name, type: 'collection' })));
    });
  const cursor = optionalDocument(command.body, 'cursor');
  const batch = context.cursors.open(`${prefix}$cmd.listCollections`, documents, {
    batchSize: optionalCount(cursor, 'batchSize', FIRST_BATCH_SIZE),
    singleBatch: false,
  });
  return ok([['cursor', cursorMember(batch, 'firstBatch')]]);
}

/** The one pipeline there is: the driver's `countDocuments`. */
function aggregate(context: CommandContext, command: Command) {
  const { filter, limit } = parseCounting(command.body.get('pipeline'));
  if (!command.body.has('cursor')) {
    throw new CommandError('FailedToParse', "The 'cursor' option is required");
  }
  const collection = existingCollection(context, command);
  const count = collection === undefined ? 0 : countMatches(collection, filter, limit);
  const counted: Document = new Map([
    ['_id', new Int32(1)],
    ['n', new Int32(count)],
  ]);
  const batch = context.cursors.open(
    `${command.database}.${collectionName(command)}`,
    count === 0 ? [] : [encodeDocument(counted)],
    { batchSize: FIRST_BATCH_SIZE, singleBatch: true },
  );
  return ok([['cursor', cursorMember(batch, 'firstBatch')]]);
}

/** The driver's grouping for a count. */
const COUNTING_GROUP: Document = new Map<string, Value>([
  ['_id', new Int32(1)],
  ['n', new Map([['$sum', new Int32(1)]])],
]);

/** `$match`, perhaps `$limit`, and a `$group` that counts: in this order and nothing else. */
function parseCounting(pipeline: Value | undefined) {
  if (!Array.isArray(pipeline)) {
    throw new CommandError('TypeMismatch', "'pipeline' must be an array");
  }
  const stages = pipeline.map(takeStageApart);
  const take = (name: string) => (stages[0]?.name === name ? stages.shift()?.operand : undefined);
  const match = take('$match');
  const limit = take('$limit');
  const group = take('$group');
  const [rest] = stages;
  if (rest !== undefined) {
    throw new CommandError('Location40324', `Unrecognized pipeline stage name: '${rest.name}'`);
  }
  if (match === undefined || group === undefined) {
    throw new CommandError('BadValue', 'a pipeline has to be $match, $limit if any, and $group');
  }
  if (!valuesEqual(group, COUNTING_GROUP)) {
    throw new CommandError(
      'BadValue',
      `$group has to be ${describeValue(COUNTING_GROUP)}, not ${describeValue(group)}`,
    );
  }
  return {
    filter: parseFilter(requireDocument(match, '$match')),
    limit: limit === undefined ? 0 : parseLimit(limit),
  };
}

function takeStageApart(stage: Value): { readonly name: string; readonly operand: Value } {
  const document = requireDocument(stage, 'each element of the pipeline');
  const [entry] = document;
  if (entry === undefined || document.size !== 1) {
    throw new CommandError('Location40323', 'a pipeline stage must have exactly one field');
  }
  return { name: entry[0], operand: entry[1] };
}

function parseLimit(operand: Value): number {
  const limit = toSafeInteger(operand);
  if (limit !== undefined && limit >= 1) return limit;
  throw new CommandError('Location15958', 'the $limit must be a whole number of at least 1');
}

/** Reading documents. */
export const readCommands: Readonly<Record<string, CommandDefinition>> = {
  find: {
    access: 'read',
    members: ['filter', 'sort', 'projection', 'limit', 'batchSize', 'singleBatch'],
    run: find,
  },
  getMore: { access: 'read', members: ['collection', 'batchSize'], run: getMore },
  killCursors: { access: 'read', members: ['cursors'], run: killCursors },
  listCollections: { access: 'read', members: ['nameOnly', 'cursor'], run: listCollections },
  aggregate: { access: 'read', members: ['pipeline', 'cursor'], run: aggregate },
};
