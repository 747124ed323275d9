import { Int32 } from 'bson';
import { CommandError } from '../errors';
import type { Collection } from '../storage/collection';
import { ID_INDEX, type IndexDefinition, parseIndexDefinition } from '../storage/index-definition';
import { requireDocument } from '../values/documents';
import { encodeDocument } from '../values/encode';
import type { Document } from '../values/value';
import {
  type Command,
  type CommandContext,
  type CommandDefinition,
  collectionName,
  existingCollection,
  ok,
  optionalCount,
  optionalDocument,
} from './command';
import { cursorMember, FIRST_BATCH_SIZE } from './cursors';

function keyBytes(definition: IndexDefinition): Buffer {
  return encodeDocument(requireDocument(definition.specification.get('key'), 'key'));
}

/** The members by which two indexes are the same, whatever their names. */
function signatureBytes(definition: IndexDefinition): Buffer {
  const signature: Document = new Map(definition.specification);
  signature.delete('name');
  signature.delete('expireAfterSeconds');
  return encodeDocument(signature);
}

/** False when an identical index stands; one that differs under its name or keys is an error. */
function isNew(collection: Collection, wanted: IndexDefinition): boolean {
  if (keyBytes(wanted).equals(keyBytes(ID_INDEX))) return false;
  for (const { definition: existing } of collection.indexes()) {
    if (encodeDocument(existing.specification).equals(encodeDocument(wanted.specification))) {
      return false;
    }
    if (existing.name === wanted.name) {
      throw new CommandError(
        'IndexKeySpecsConflict',
        `An existing index has the same name as the requested index: ${wanted.name}`,
      );
    }
    if (signatureBytes(existing).equals(signatureBytes(wanted))) {
      throw new CommandError(
        'IndexOptionsConflict',
        `Index already exists with a different name: ${existing.name}`,
      );
    }
  }
  return true;
}

function createIndexes(context: CommandContext, command: Command) {
  const specifications = command.body.get('indexes');
  if (!Array.isArray(specifications) || specifications.length === 0) {
    throw new CommandError('BadValue', 'Must specify at least one index to create');
  }
  const definitions = specifications.map((specification) =>
    parseIndexDefinition(requireDocument(specification, 'an index')),
  );
  const name = collectionName(command);
  const existed = context.store.find(command.database, name) !== undefined;
  const before = context.store.find(command.database, name)?.indexes().length ?? 0;
  context.store.atomically(() => {
    const collection = context.store.findOrCreate(command.database, name);
    for (const definition of definitions) {
      if (isNew(collection, definition)) context.store.createIndex(collection, definition);
    }
  });
  const after = context.store.find(command.database, name)?.indexes().length ?? 0;
  return ok([
    ['numIndexesBefore', new Int32(before + 1)],
    ['numIndexesAfter', new Int32(after + 1)],
    ['createdCollectionAutomatically', !existed],
    ...(before === after ? [['note', 'all indexes already exist'] as const] : []),
  ]);
}

function requireCollection(context: CommandContext, command: Command): Collection {
  const collection = existingCollection(context, command);
  if (collection !== undefined) return collection;
  throw new CommandError(
    'NamespaceNotFound',
    `ns does not exist: ${command.database}.${collectionName(command)}`,
  );
}

function dropIndexes(context: CommandContext, command: Command) {
  const collection = requireCollection(context, command);
  const name = command.body.get('index');
  if (typeof name !== 'string' || name === '*') {
    throw new CommandError('BadValue', "dropIndexes takes the name of one index in 'index'");
  }
  const before = collection.indexes().length;
  context.store.dropIndex(collection, name);
  return ok([['nIndexesWas', new Int32(before + 1)]]);
}

/** Changes when the documents of a TTL index expire, and nothing else. */
function collMod(context: CommandContext, command: Command) {
  const collection = requireCollection(context, command);
  const wanted = requireDocument(command.body.get('index'), 'index');
  const name = wanted.get('name');
  const seconds = wanted.get('expireAfterSeconds');
  if (typeof name !== 'string' || seconds === undefined || wanted.size !== 2) {
    throw new CommandError('InvalidOptions', "collMod takes 'name' and 'expireAfterSeconds'");
  }
  const index = collection.indexes().find(({ definition }) => definition.name === name);
  if (index === undefined) {
    throw new CommandError('IndexNotFound', `cannot find index ${name} for ns`);
  }
  const { expireAfterSeconds: before, specification } = index.definition;
  if (before === undefined) {
    throw new CommandError('InvalidOptions', `no document of index ${name} expires`);
  }
  const changed = new Map(specification).set('expireAfterSeconds', seconds);
  const definition = parseIndexDefinition(changed);
  const after = definition.expireAfterSeconds ?? before;
  if (after === before) return ok();
  context.store.changeExpiry(collection, index, definition);
  return ok([
    ['expireAfterSeconds_old', BigInt(before)],
    ['expireAfterSeconds_new', BigInt(after)],
  ]);
}

function listIndexes(context: CommandContext, command: Command) {
  const collection = requireCollection(context, command);
  const documents: Document[] = [
    ID_INDEX.specification,
    ...collection.indexes().map((index) => index.definition.specification),
  ];
  const options = optionalDocument(command.body, 'cursor');
  const batchSize = optionalCount(options, 'batchSize', FIRST_BATCH_SIZE);
  const encoded = documents.map((document) => encodeDocument(document));
  const batch = context.cursors.open(collection.namespace, encoded, {
    batchSize,
    singleBatch: false,
  });
  return ok([['cursor', cursorMember(batch, 'firstBatch')]]);
}

/** Declaring and listing indexes. */
export const indexCommands: Readonly<Record<string, CommandDefinition>> = {
  collMod: { access: 'write', members: ['index'], run: collMod },
  createIndexes: { access: 'write', members: ['indexes'], run: createIndexes },
  dropIndexes: { access: 'write', members: ['index'], run: dropIndexes },
  listIndexes: { access: 'read', members: ['cursor'], run: listIndexes },
};
