import { Int32 } from 'bson';
import { CommandError } from '../errors';
import { findMatches, type Match } from '../query/find';
import { parseFilter } from '../query/parse';
import { parseProjection, project } from '../query/projection';
import { parseSort } from '../query/sort';
import type { Collection } from '../storage/collection';
import { parseUpdate } from '../update/parse';
import { decodeDocument } from '../values/decode';
import type { Encodable, EncodableDocument } from '../values/encode';
import type { Document } from '../values/value';
import {
  type Command,
  type CommandContext,
  type CommandDefinition,
  collectionName,
  ok,
  optionalDocument,
  optionalFlag,
  refuseMembers,
} from './command';
import { insertUpsert, refuseArrayFilters, updateStored } from './update';

interface Result {
  /** The document to answer, or null. */
  readonly value: Document | null;
  readonly count: number;
  readonly updatedExisting?: boolean;
  readonly upserted?: Encodable;
}

function answer(result: Result, body: Document): EncodableDocument {
  const projection = parseProjection(optionalDocument(body, 'fields'));
  const { value } = result;
  const shown = value === null || projection === undefined ? value : project(value, projection);
  const last: [string, Encodable][] = [['n', new Int32(result.count)]];
  if (result.updatedExisting !== undefined) last.push(['updatedExisting', result.updatedExisting]);
  if (result.upserted !== undefined) last.push(['upserted', result.upserted]);
  return ok([
    ['lastErrorObject', new Map(last)],
    ['value', shown],
  ]);
}

function firstMatch(collection: Collection | undefined, body: Document): Match | undefined {
  if (collection === undefined) return undefined;
  const predicate = parseFilter(optionalDocument(body, 'query'));
  const sort = parseSort(optionalDocument(body, 'sort'));
  return findMatches(collection, { predicate, sort, skip: 0, limit: 1 })[0];
}

function removeOne(collection: Collection | undefined, body: Document): Result {
  if (body.has('update') || optionalFlag(body, 'upsert') || optionalFlag(body, 'new')) {
    throw new CommandError('FailedToParse', 'remove goes with neither update, upsert nor new');
  }
  const match = firstMatch(collection, body);
  if (match === undefined || collection === undefined) return { value: null, count: 0 };
  collection.remove(match.stored, match.document());
  return { value: match.document(), count: 1 };
}

function updateOne(context: CommandContext, command: Command): Result {
  const { body } = command;
  const name = collectionName(command);
  const plan = parseUpdate(body.get('update'));
  const upsert = optionalFlag(body, 'upsert');
  const wantsNew = optionalFlag(body, 'new');
  const collection = upsert
    ? context.store.findOrCreate(command.database, name)
    : context.store.find(command.database, name);
  const match = firstMatch(collection, body);
  if (collection !== undefined && match !== undefined) {
    const { after } = updateStored(context, collection, match, plan);
    const value = wantsNew ? after : decodeDocument(match.stored.body);
    return { value, count: 1, updatedExisting: true };
  }
  if (collection === undefined || !upsert) return { value: null, count: 0, updatedExisting: false };
  const predicate = parseFilter(optionalDocument(body, 'query'));
  const inserted = insertUpsert(context, collection, predicate, plan);
  return {
    value: wantsNew ? inserted : null,
    count: 1,
    updatedExisting: false,
    upserted: inserted.get('_id') ?? null,
  };
}

function findAndModify(context: CommandContext, command: Command) {
  const { body } = command;
  refuseArrayFilters(body);
  refuseMembers(body, 'findAndModify', ['collation', 'hint', 'let']);
  // A projection that is wrong must fail before anything is written.
  parseProjection(optionalDocument(body, 'fields'));
  if (optionalFlag(body, 'remove')) {
    const collection = context.store.find(command.database, collectionName(command));
    return answer(removeOne(collection, body), body);
  }
  if (!body.has('update')) {
    throw new CommandError('FailedToParse', 'Either an update or remove=true must be specified');
  }
  return answer(updateOne(context, command), body);
}

const DEFINITION: CommandDefinition = {
  access: 'write',
  fields: [
    'query',
    'sort',
    'remove',
    'update',
    'new',
    'fields',
    'upsert',
    'bypassDocumentValidation',
    'arrayFilters',
    'collation',
    'hint',
    'let',
  ],
  run: findAndModify,
};

/** Reading and changing one document in one step. */
export const findAndModifyCommands: Readonly<Record<string, CommandDefinition>> = {
  findAndModify: DEFINITION,
  findandmodify: DEFINITION,
};
