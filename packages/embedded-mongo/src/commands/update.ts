import { Int32 } from 'bson';
import { CommandError } from '../errors';
import { type Filter, parseFilter } from '../query/filter';
import { findMatches, type Match } from '../query/find';
import type { Collection } from '../storage/collection';
import { applyUpdate } from '../update/apply';
import { type ParsedUpdate, parseUpdate } from '../update/parse';
import { makeUpsert } from '../update/upsert';
import { valuesEqual } from '../values/compare';
import { decodeDocument } from '../values/decode';
import { requireDocument } from '../values/documents';
import type { Encodable } from '../values/encode';
import { cloneValue, type Document, type Value } from '../values/value';
import {
  type Command,
  type CommandContext,
  type CommandDefinition,
  collectionName,
  ok,
  optionalDocument,
  optionalFlag,
} from './command';
import { encodeForStorage, insertDocument, runStatements } from './write';

interface Statement {
  readonly filter: Filter;
  readonly update: ParsedUpdate;
  readonly multi: boolean;
  readonly upsert: boolean;
}

interface Totals {
  matched: number;
  modified: number;
  readonly upserted: Encodable[];
}

function update(context: CommandContext, command: Command) {
  const name = collectionName(command);
  const totals: Totals = { matched: 0, modified: 0, upserted: [] };
  const errors = runStatements(context, command, 'updates', (value, index) => {
    const statement = parseStatement(value);
    const collection = statement.upsert
      ? context.store.findOrCreate(command.database, name)
      : context.store.find(command.database, name);
    if (collection !== undefined) runStatement(context, collection, statement, { totals, index });
  });
  const upserted: [string, Encodable][] =
    totals.upserted.length === 0 ? [] : [['upserted', totals.upserted]];
  return ok([
    ['n', new Int32(totals.matched)],
    ...upserted,
    ['nModified', new Int32(totals.modified)],
    ...errors,
  ]);
}

function parseStatement(value: Value): Statement {
  const statement = requireDocument(value, 'an update statement');
  for (const name of statement.keys()) {
    if (!['q', 'u', 'multi', 'upsert'].includes(name)) {
      throw new CommandError('Location40415', `BSON field 'update.updates.${name}' is unknown.`);
    }
  }
  const update = parseUpdate(statement.get('u'));
  const multi = optionalFlag(statement, 'multi');
  if (multi && update.kind === 'replace') {
    throw new CommandError('FailedToParse', 'multi update is not supported for replacement-style');
  }
  return {
    filter: parseFilter(requireDocument(statement.get('q'), 'q')),
    update,
    multi,
    upsert: optionalFlag(statement, 'upsert'),
  };
}

function runStatement(
  context: CommandContext,
  collection: Collection,
  statement: Statement,
  report: { readonly totals: Totals; readonly index: number },
): void {
  const { filter, update } = statement;
  const matches = findMatches(collection, { filter, sort: [], limit: statement.multi ? 0 : 1 });
  const { totals, index } = report;
  for (const match of matches) {
    if (updateStored(context, collection, match, update).modified) totals.modified += 1;
    totals.matched += 1;
  }
  if (matches.length > 0 || !statement.upsert) return;
  const inserted = insertDocument(context, collection, makeUpsert(filter, update));
  totals.matched += 1;
  totals.upserted.push(
    new Map<string, Encodable>([
      ['index', new Int32(index)],
      ['_id', cloneValue(inserted.get('_id') ?? null)],
    ]),
  );
}

/** Applies the update to one stored document; answers whether any byte changed. */
function updateStored(
  context: CommandContext,
  collection: Collection,
  match: Match,
  update: ParsedUpdate,
): { readonly modified: boolean; readonly after: Document } {
  const document = match.document();
  const id = document.get('_id');
  // Taken before the document is changed in place.
  const oldPlaces = collection.placesOf(document);
  const after = applyUpdate(document, update, false);
  const newId = after.get('_id');
  if (newId === undefined || id === undefined || !valuesEqual(newId, id)) {
    throw new CommandError(
      'ImmutableField',
      "Performing an update on the path '_id' would modify the immutable field '_id'",
    );
  }
  const body = encodeForStorage(after, context.bounds.documentBytesMax);
  if (body.equals(match.stored.body)) return { modified: false, after };
  collection.replace(match.stored, oldPlaces, { document: after, body });
  return { modified: true, after };
}

interface Modified {
  /** The document to answer, or null. */
  readonly value: Document | null;
  /** The answer as the driver reads it. */
  readonly lastErrorObject: readonly (readonly [string, Encodable])[];
}

function findAndModify(context: CommandContext, command: Command) {
  const { value, lastErrorObject } = optionalFlag(command.body, 'remove')
    ? removeOne(context, command)
    : updateOne(context, command);
  return ok([
    ['lastErrorObject', new Map(lastErrorObject)],
    ['value', value],
  ]);
}

function removeOne(context: CommandContext, command: Command): Modified {
  const { body, database } = command;
  if (body.has('update') || optionalFlag(body, 'upsert') || optionalFlag(body, 'new')) {
    throw new CommandError('FailedToParse', 'remove goes with neither update, upsert nor new');
  }
  const collection = context.store.find(database, collectionName(command));
  const match = firstMatch(collection, parseFilter(optionalDocument(body, 'query')));
  if (collection === undefined || match === undefined) {
    return { value: null, lastErrorObject: [['n', new Int32(0)]] };
  }
  collection.remove(match.stored, match.document());
  return { value: match.document(), lastErrorObject: [['n', new Int32(1)]] };
}

function updateOne(context: CommandContext, command: Command): Modified {
  const { body, database } = command;
  if (!body.has('update')) {
    throw new CommandError('FailedToParse', 'Either an update or remove=true must be specified');
  }
  const name = collectionName(command);
  const update = parseUpdate(body.get('update'));
  const filter = parseFilter(optionalDocument(body, 'query'));
  const upsert = optionalFlag(body, 'upsert');
  const wantsNew = optionalFlag(body, 'new');
  const collection = upsert
    ? context.store.findOrCreate(database, name)
    : context.store.find(database, name);
  const match = firstMatch(collection, filter);
  const done = (count: number, updatedExisting: boolean): Modified['lastErrorObject'] => [
    ['n', new Int32(count)],
    ['updatedExisting', updatedExisting],
  ];
  if (collection !== undefined && match !== undefined) {
    const { after } = updateStored(context, collection, match, update);
    const value = wantsNew ? after : decodeDocument(match.stored.body);
    return { value, lastErrorObject: done(1, true) };
  }
  if (collection === undefined || !upsert) return { value: null, lastErrorObject: done(0, false) };
  const inserted = insertDocument(context, collection, makeUpsert(filter, update));
  return {
    value: wantsNew ? inserted : null,
    lastErrorObject: [...done(1, false), ['upserted', inserted.get('_id') ?? null]],
  };
}

function firstMatch(collection: Collection | undefined, filter: Filter): Match | undefined {
  return collection && findMatches(collection, { filter, sort: [], limit: 1 })[0];
}

/** Changing documents. */
export const updateCommands: Readonly<Record<string, CommandDefinition>> = {
  update: { access: 'write', members: ['updates', 'ordered'], run: update },
  findAndModify: {
    access: 'write',
    members: ['query', 'remove', 'update', 'new', 'upsert'],
    run: findAndModify,
  },
};
