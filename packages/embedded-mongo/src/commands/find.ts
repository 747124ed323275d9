import { CommandError } from '../errors';
import { findMatches, type Match } from '../query/find';
import { parseFilter } from '../query/parse';
import { type Projection, parseProjection, project } from '../query/projection';
import { parseSort } from '../query/sort';
import { encodeDocument } from '../values/encode';
import { toSafeInteger } from '../values/value';
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
  refuseMembers,
} from './command';
import { cursorMember, FIRST_BATCH_SIZE } from './cursors';

/** The bytes of matches as a projection shows them. */
export function showMatches(
  matches: readonly Match[],
  projection: Projection | undefined,
): readonly Buffer[] {
  return matches.map((match) =>
    projection === undefined
      ? match.stored.body
      : encodeDocument(project(match.document(), projection)),
  );
}

function find(context: CommandContext, command: Command) {
  const { body } = command;
  refuseMembers(body, 'find', ['collation', 'let', 'tailable', 'awaitData', 'noCursorTimeout']);
  const namespace = `${command.database}.${collectionName(command)}`;
  const predicate = parseFilter(optionalDocument(body, 'filter'));
  const sort = parseSort(optionalDocument(body, 'sort'));
  const projection = parseProjection(optionalDocument(body, 'projection'));
  const skip = optionalCount(body, 'skip', 0);
  const limit = optionalCount(body, 'limit', 0);
  const batchSize = optionalCount(body, 'batchSize', FIRST_BATCH_SIZE);
  const singleBatch = optionalFlag(body, 'singleBatch');
  const collection = existingCollection(context, command);
  const matches =
    collection === undefined ? [] : findMatches(collection, { predicate, sort, skip, limit });
  const documents = showMatches(matches, projection);
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

/** Reading documents. */
export const findCommands: Readonly<Record<string, CommandDefinition>> = {
  find: {
    access: 'read',
    fields: [
      'filter',
      'sort',
      'projection',
      'skip',
      'limit',
      'batchSize',
      'singleBatch',
      'allowDiskUse',
      'noCursorTimeout',
      'collation',
      'let',
      'tailable',
      'awaitData',
    ],
    run: find,
  },
  getMore: { access: 'read', fields: ['collection', 'batchSize'], run: getMore },
  killCursors: { access: 'read', fields: ['cursors'], run: killCursors },
};
