import { Int32, ObjectId } from 'bson';
import { CommandError } from '../errors';
import type { Collection } from '../storage/collection';
import { withIdFirst } from '../update/upsert';
import { encodeDocument } from '../values/encode';
import { requireDocument } from '../values/require-document';
import type { Document, Value } from '../values/value';
import {
  type Command,
  type CommandContext,
  type CommandDefinition,
  collectionName,
  ok,
  optionalFlag,
} from './command';
import { runBatch, writeErrorsMember } from './write-batch';

/** Checks what must hold for every stored document and answers its bytes. */
export function encodeForStorage(document: Document, documentBytesMax: number): Buffer {
  const id = document.get('_id');
  if (Array.isArray(id) || id === undefined || isRegex(id)) {
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

function isRegex(value: Value): boolean {
  return typeof value === 'object' && value !== null && '_bsontype' in value
    ? value._bsontype === 'BSONRegExp'
    : false;
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
  collection.insert(ordered, encodeForStorage(ordered, context.limits.documentBytesMax));
  return ordered;
}

function insert(context: CommandContext, command: Command) {
  const documents = command.body.get('documents');
  if (!Array.isArray(documents) || documents.length === 0) {
    throw new CommandError('BadValue', "'documents' must be a nonempty array");
  }
  const name = collectionName(command);
  const ordered = !command.body.has('ordered') || optionalFlag(command.body, 'ordered');
  let inserted = 0;
  const errors = runBatch(documents, { ordered, context }, (document) => {
    const collection = context.store.findOrCreate(command.database, name);
    insertDocument(context, collection, requireDocument(document, 'a document to insert'));
    inserted += 1;
  });
  return ok([['n', new Int32(inserted)], ...writeErrorsMember(errors)]);
}

/** Adding documents. */
export const insertCommands: Readonly<Record<string, CommandDefinition>> = {
  insert: {
    access: 'write',
    fields: ['documents', 'ordered', 'bypassDocumentValidation'],
    run: insert,
  },
};
