import { Int32 } from 'bson';
import { CommandError } from '../errors';
import { matches } from '../query/match';
import { parseFilter } from '../query/parse';
import { ID_INDEX } from '../storage/index-definition';
import { encodeDocument } from '../values/encode';
import type { Document, Value } from '../values/value';
import {
  type Command,
  type CommandContext,
  type CommandDefinition,
  collectionName,
  ok,
  optionalCount,
  optionalDocument,
  optionalFlag,
} from './command';
import { cursorMember, FIRST_BATCH_SIZE } from './cursors';

function create(context: CommandContext, command: Command) {
  const name = collectionName(command);
  if (context.store.find(command.database, name) !== undefined) {
    throw new CommandError(
      'NamespaceExists',
      `Collection ${command.database}.${name} already exists.`,
    );
  }
  context.store.findOrCreate(command.database, name);
  return ok();
}

function drop(context: CommandContext, command: Command) {
  const name = collectionName(command);
  const collection = context.store.find(command.database, name);
  if (collection === undefined) return ok();
  const indexCount = collection.indexes().length + 1;
  context.store.drop(command.database, name);
  return ok([
    ['nIndexesWas', new Int32(indexCount)],
    ['ns', `${command.database}.${name}`],
  ]);
}

function dropDatabase(context: CommandContext, command: Command) {
  for (const name of context.store.collectionNames(command.database)) {
    context.store.drop(command.database, name);
  }
  return ok([['dropped', command.database]]);
}

function describeCollection(name: string, nameOnly: boolean): Document {
  const description: Document = new Map<string, Value>([
    ['name', name],
    ['type', 'collection'],
  ]);
  if (nameOnly) return description;
  description.set('options', new Map());
  description.set('info', new Map([['readOnly', false]]));
  description.set('idIndex', ID_INDEX.specification);
  return description;
}

function listCollections(context: CommandContext, command: Command) {
  const { body } = command;
  const predicate = parseFilter(optionalDocument(body, 'filter'));
  const nameOnly = optionalFlag(body, 'nameOnly');
  const documents = context.store
    .collectionNames(command.database)
    .map((name) => describeCollection(name, nameOnly))
    .filter((description) => matches(predicate, description))
    .map((description) => encodeDocument(description));
  const batch = context.cursors.open(`${command.database}.$cmd.listCollections`, documents, {
    batchSize: optionalCount(optionalDocument(body, 'cursor'), 'batchSize', FIRST_BATCH_SIZE),
    singleBatch: false,
  });
  return ok([['cursor', cursorMember(batch, 'firstBatch')]]);
}

function listDatabases(context: CommandContext, command: Command) {
  const predicate = parseFilter(optionalDocument(command.body, 'filter'));
  const nameOnly = optionalFlag(command.body, 'nameOnly');
  const databases = context.store
    .databaseNames()
    .map((name): Document => {
      const description: Document = new Map<string, Value>([['name', name]]);
      if (!nameOnly) description.set('empty', false);
      return description;
    })
    .filter((description) => matches(predicate, description));
  return ok([['databases', databases]]);
}

/** Collections and databases as such. */
export const collectionCommands: Readonly<Record<string, CommandDefinition>> = {
  create: { access: 'write', fields: [], run: create },
  drop: { access: 'write', fields: [], run: drop },
  dropDatabase: { access: 'write', fields: [], run: dropDatabase },
  listCollections: {
    access: 'read',
    fields: ['filter', 'nameOnly', 'authorizedCollections', 'cursor'],
    run: listCollections,
  },
  listDatabases: {
    access: 'read',
    fields: ['filter', 'nameOnly', 'authorizedDatabases'],
    run: listDatabases,
  },
};
