import { Int32, ObjectId } from 'bson';
import { CommandError } from '../errors';
import { parseFilter } from '../query/filter';
import { findMatches } from '../query/find';
import type { Collection } from '../storage/collection';
import { requireDocument, withIdFirst } from '../values/documents';
import { type Encodable, encodeDocument } from '../values/encode';
import { type Document, toSafeInteger, typeName, type Value } from '../values/value';
import {
  type Command,
  type CommandContext,
  type CommandDefinition,
  collectionName,
  existingCollection,
  ok,
  optionalFlag,
} from './command';

/**
 * Runs the statements of one write command, one after the other, and answers the `writeErrors`
 * member: the failures that are the caller's, by their place; nothing when there is none.
 */
export function runStatements(
  context: CommandContext,
  command: Command,
  member: string,
  run: (statement: Value, index: number) => void,
): readonly (readonly [string, Encodable])[] {
  const statements = command.body.get(member);
  if (!Array.isArray(statements) || statements.length === 0) {
    throw new CommandError('BadValue', `'${member}' must be a nonempty array`);
  }
  if (statements.length > context.bounds.writeBatchMax) {
    throw new CommandError(
      'BadValue',
      `a batch of ${statements.length} is larger than ${context.bounds.writeBatchMax}`,
    );
  }
  // Ordered unless the caller says otherwise: the first failure ends the batch.
  const ordered = !command.body.has('ordered') || optionalFlag(command.body, 'ordered');
  const errors: Encodable[] = [];
  for (const [index, statement] of statements.entries()) {
    try {
      run(statement, index);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      errors.push(toWriteError(index, error));
      if (ordered) break;
    }
  }
  return errors.length === 0 ? [] : [['writeErrors', errors]];
}

function toWriteError(index: number, error: CommandError): Encodable {
  return new Map<string, Encodable>([
    ['index', new Int32(index)],
    ['code', new Int32(error.code)],
    ...(error.details ?? []),
    ['errmsg', error.message],
  ]);
}

function insert(context: CommandContext, command: Command) {
  const name = collectionName(command);
  let inserted = 0;
  const errors = runStatements(context, command, 'documents', (document) => {
    const collection = context.store.findOrCreate(command.database, name);
    insertDocument(context, collection, requireDocument(document, 'a document to insert'));
    inserted += 1;
  });
  return ok([['n', new Int32(inserted)], ...errors]);
}

/** Stores one new document; `_id` is made when absent and always comes first. */
export function insertDocument(
  context: CommandContext,
  collection: Collection,
  document: Document,
): Document {
  for (const name of document.keys()) {
    if (name.startsWith('$')) {
      throw new CommandError(
        'DollarPrefixedFieldName',
        `The dollar ($) prefixed field '${name}' is not valid for storage`,
      );
    }
  }
  if (!document.has('_id')) document.set('_id', new ObjectId());
  const ordered = withIdFirst(document);
  collection.insert(ordered, encodeForStorage(ordered, context.bounds.documentBytesMax));
  return ordered;
}

/** Checks what must hold for every stored document and answers its bytes. */
export function encodeForStorage(document: Document, documentBytesMax: number): Buffer {
  const id = document.get('_id');
  if (id === undefined || Array.isArray(id) || typeName(id) === 'regex') {
    throw new CommandError('InvalidIdField', "The '_id' value cannot be an array or a regex");
  }
  const body = encodeDocument(document);
  if (body.length > documentBytesMax) {
    throw new CommandError(
      'BSONObjectTooLarge',
      `the document has ${body.length} bytes, more than ${documentBytesMax}`,
    );
  }
  return body;
}

function remove(context: CommandContext, command: Command) {
  const collection = existingCollection(context, command);
  let removed = 0;
  const errors = runStatements(context, command, 'deletes', (value) => {
    const { filter, limit } = parseDelete(value);
    if (collection === undefined) return;
    for (const match of findMatches(collection, { filter, sort: [], limit })) {
      collection.remove(match.stored, match.document());
      removed += 1;
    }
  });
  return ok([['n', new Int32(removed)], ...errors]);
}

function parseDelete(value: Value) {
  const statement = requireDocument(value, 'a delete statement');
  for (const name of statement.keys()) {
    if (name !== 'q' && name !== 'limit') {
      throw new CommandError('Location40415', `BSON field 'delete.deletes.${name}' is unknown.`);
    }
  }
  const limit = toSafeInteger(statement.get('limit'));
  if (limit !== 0 && limit !== 1) {
    throw new CommandError('FailedToParse', 'The limit field in delete objects must be 0 or 1');
  }
  return { filter: parseFilter(requireDocument(statement.get('q'), 'q')), limit };
}

/** Adding and removing documents. */
export const writeCommands: Readonly<Record<string, CommandDefinition>> = {
  insert: { access: 'write', members: ['documents', 'ordered'], run: insert },
  delete: { access: 'write', members: ['deletes', 'ordered'], run: remove },
};
