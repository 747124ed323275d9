import { Int32 } from 'bson';
import { parsePipeline, runPipeline } from '../aggregate/pipeline';
import { CommandError } from '../errors';
import { findMatches } from '../query/find';
import { parseFilter } from '../query/parse';
import { encodeKey } from '../values/index-key';
import { parsePath, visitPath } from '../values/path';
import type { Value } from '../values/value';
import {
  type Command,
  type CommandContext,
  type CommandDefinition,
  collectionName,
  existingCollection,
  ok,
  optionalCount,
  optionalDocument,
  refuseMembers,
} from './command';
import { cursorMember, FIRST_BATCH_SIZE } from './cursors';

function aggregate(context: CommandContext, command: Command) {
  const { body } = command;
  refuseMembers(body, 'aggregate', ['collation', 'hint', 'let', 'explain']);
  const name = collectionName(command);
  const stages = parsePipeline(body.get('pipeline'));
  if (!body.has('cursor')) {
    throw new CommandError('FailedToParse', "The 'cursor' option is required");
  }
  const batchSize = optionalCount(optionalDocument(body, 'cursor'), 'batchSize', FIRST_BATCH_SIZE);
  const collection = existingCollection(context, command);
  const documents = runPipeline(collection, stages, context.limits.resultBytesMax);
  const batch = context.cursors.open(`${command.database}.${name}`, documents, {
    batchSize,
    singleBatch: false,
  });
  return ok([['cursor', cursorMember(batch, 'firstBatch')]]);
}

function count(context: CommandContext, command: Command) {
  const { body } = command;
  refuseMembers(body, 'count', ['collation', 'hint']);
  const predicate = parseFilter(optionalDocument(body, 'query'));
  const skip = optionalCount(body, 'skip', 0);
  const limit = optionalCount(body, 'limit', 0);
  const collection = existingCollection(context, command);
  if (collection === undefined) return ok([['n', new Int32(0)]]);
  const matchesAll = predicate.kind === 'and' && predicate.clauses.length === 0;
  const total = matchesAll
    ? collection.count()
    : findMatches(collection, {
        predicate,
        sort: [],
        skip: 0,
        limit: limit === 0 ? 0 : skip + limit,
      }).length;
  const rest = Math.max(0, total - skip);
  return ok([['n', new Int32(limit === 0 ? rest : Math.min(rest, limit))]]);
}

function distinct(context: CommandContext, command: Command) {
  const { body } = command;
  refuseMembers(body, 'distinct', ['collation', 'hint']);
  const key = body.get('key');
  if (typeof key !== 'string') throw new CommandError('TypeMismatch', "'key' must be a string");
  const path = parsePath(key);
  const predicate = parseFilter(optionalDocument(body, 'query'));
  const collection = existingCollection(context, command);
  const found =
    collection === undefined
      ? []
      : findMatches(collection, { predicate, sort: [], skip: 0, limit: 0 });
  const values = new Map<string, Value>();
  for (const match of found) {
    visitPath(match.document(), path, 0, (value, isElement) => {
      // An array counts by its elements only.
      if (value === undefined || (Array.isArray(value) && !isElement)) return false;
      const encoded = encodeKey(value).toString('latin1');
      if (!values.has(encoded)) values.set(encoded, value);
      return false;
    });
  }
  return ok([['values', [...values.values()]]]);
}

/** Computing over documents. */
export const aggregateCommands: Readonly<Record<string, CommandDefinition>> = {
  aggregate: {
    access: 'read',
    fields: [
      'pipeline',
      'cursor',
      'allowDiskUse',
      'bypassDocumentValidation',
      'collation',
      'hint',
      'let',
      'explain',
    ],
    run: aggregate,
  },
  count: {
    access: 'read',
    fields: ['query', 'skip', 'limit', 'collation', 'hint'],
    run: count,
  },
  distinct: { access: 'read', fields: ['key', 'query', 'collation', 'hint'], run: distinct },
};
