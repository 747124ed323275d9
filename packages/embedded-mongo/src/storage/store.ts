import type { DatabaseSync } from 'node:sqlite';
import { CommandError } from '../errors';
import { encodeDocument } from '../values/encode';
import { addCollection, type Catalog, loadCatalog } from './catalog';
import type { Collection } from './collection';
import { openDataFile } from './data-file';
import { ID_INDEX_NAME, type IndexDefinition } from './index-definition';
import type { IndexTable } from './index-table';

/** The data file as the commands see it: its collections, their indexes, and its transactions. */
export interface Store {
  find(databaseName: string, name: string): Collection | undefined;
  /** The collection, made when it is not there: a first write creates it. */
  findOrCreate(databaseName: string, name: string): Collection;
  createIndex(collection: Collection, definition: IndexDefinition): void;
  /** Gives an index another time of expiry; its entries stay as they are. */
  changeExpiry(collection: Collection, index: IndexTable, definition: IndexDefinition): void;
  dropIndex(collection: Collection, name: string): void;
  collections(): readonly Collection[];
  /** Runs `work` so that a failure leaves no trace of it, within the current transaction. */
  atomically(work: () => void): void;
  begin(): void;
  commit(): void;
  rollback(): void;
  close(): void;
}

const INDEXES_MAX = 64;

/** Opens the data file. The caller begins and ends transactions. */
export function openStore(dataPath: string): Store {
  const sqlite = openDataFile(dataPath);
  let catalog: Catalog = loadCatalog(sqlite);
  // After a rollback the objects in memory may describe tables that are no more.
  const reload = () => {
    catalog = loadCatalog(sqlite);
  };
  const find = (databaseName: string, name: string) => catalog.get(databaseName)?.get(name);
  return {
    find,
    findOrCreate: (databaseName, name) =>
      find(databaseName, name) ?? addCollection(sqlite, catalog, databaseName, name),
    createIndex: (collection, definition) => createIndex(sqlite, collection, definition),
    changeExpiry: (collection, index, definition) =>
      changeExpiry(sqlite, collection, index, definition),
    dropIndex: (collection, name) => dropIndex(sqlite, collection, name),
    collections: () => [...catalog.values()].flatMap((names) => [...names.values()]),

    atomically(work) {
      sqlite.exec('SAVEPOINT work');
      try {
        work();
      } catch (error) {
        sqlite.exec('ROLLBACK TO work');
        sqlite.exec('RELEASE work');
        reload();
        throw error;
      }
      sqlite.exec('RELEASE work');
    },

    begin: () => sqlite.exec('BEGIN IMMEDIATE'),
    commit: () => sqlite.exec('COMMIT'),
    rollback() {
      if (sqlite.isTransaction) sqlite.exec('ROLLBACK');
      reload();
    },
    close: () => sqlite.close(),
  };
}

function createIndex(
  sqlite: DatabaseSync,
  collection: Collection,
  definition: IndexDefinition,
): void {
  if (collection.indexes().length >= INDEXES_MAX) {
    throw new CommandError('CannotCreateIndex', `a collection has at most ${INDEXES_MAX}`);
  }
  const insert = sqlite.prepare(
    'INSERT INTO indexes (collection, name, specification) VALUES (?, ?, ?)',
  );
  const bytes = encodeDocument(definition.specification);
  const id = Number(insert.run(collection.id, definition.name, bytes).lastInsertRowid);
  collection.addIndex(id, definition);
}

function changeExpiry(
  sqlite: DatabaseSync,
  collection: Collection,
  index: IndexTable,
  definition: IndexDefinition,
): void {
  sqlite
    .prepare('UPDATE indexes SET specification = ? WHERE id = ?')
    .run(encodeDocument(definition.specification), index.id);
  collection.attachIndex(index.id, definition, index.isMultikey());
}

function dropIndex(sqlite: DatabaseSync, collection: Collection, name: string): void {
  if (name === ID_INDEX_NAME) throw new CommandError('InvalidOptions', 'cannot drop _id index');
  collection.removeIndex(name);
  sqlite.prepare('DELETE FROM indexes WHERE collection = ? AND name = ?').run(collection.id, name);
}
