import type { DatabaseSync } from 'node:sqlite';
import { CommandError } from '../errors';
import { decodeDocument } from '../values/decode';
import { encodeDocument } from '../values/encode';
import { type Collection, createDocumentTable, openCollection } from './collection';
import { openDatabase } from './database';
import { ID_INDEX_NAME, type IndexDefinition, parseIndexDefinition } from './index-definition';

/** Collections by database and name. */
export interface Store {
  find(database: string, name: string): Collection | undefined;
  /** The collection, made when it is not there: a first write creates it. */
  findOrCreate(database: string, name: string): Collection;
  drop(database: string, name: string): boolean;
  createIndex(collection: Collection, definition: IndexDefinition): void;
  dropIndex(collection: Collection, name: string): void;
  databaseNames(): readonly string[];
  collectionNames(database: string): readonly string[];
  collections(): readonly Collection[];
  /** Runs `work` so that a failure leaves no trace of it, within the current transaction. */
  atomically(work: () => void): void;
  begin(): void;
  commit(): void;
  rollback(): void;
  close(): void;
}

const COLLECTIONS_MAX = 10_000;
const INDEXES_MAX = 64;

type Catalog = Map<string, Map<string, Collection>>;

function loadCatalog(database: DatabaseSync): Catalog {
  const catalog: Catalog = new Map();
  const indexRows = database.prepare('SELECT * FROM indexes WHERE collection = ? ORDER BY id');
  for (const row of database.prepare('SELECT * FROM collections ORDER BY id').all()) {
    const id = Number(row.id);
    const databaseName = String(row.database);
    const collection = openCollection(database, id, `${databaseName}.${String(row.name)}`);
    for (const index of indexRows.all(id)) {
      const bytes = Buffer.from(index.specification as Uint8Array);
      const definition = parseIndexDefinition(decodeDocument(bytes));
      collection.attachIndex(Number(index.id), definition, Number(index.multikey) === 1);
    }
    register(catalog, databaseName, String(row.name), collection);
  }
  return catalog;
}

function register(catalog: Catalog, database: string, name: string, collection: Collection): void {
  const names = catalog.get(database) ?? new Map<string, Collection>();
  names.set(name, collection);
  catalog.set(database, names);
}

const DATABASE_NAME = /^[^/\\. "$*<>:|?\0]{1,63}$/;

function requireNames(database: string, name: string): void {
  const valid =
    DATABASE_NAME.test(database) &&
    name !== '' &&
    name.length <= 200 &&
    !/[$\0]/.test(name) &&
    !name.startsWith('.') &&
    !name.startsWith('system.');
  if (!valid) {
    throw new CommandError('InvalidNamespace', `Invalid namespace specified '${database}.${name}'`);
  }
}

/** Opens the data file. The caller begins and ends transactions. */
export function openStore(dataPath: string): Store {
  const database = openDatabase(dataPath);
  let catalog = loadCatalog(database);
  // After a rollback the objects in memory may describe tables that are no more.
  const reload = () => {
    catalog = loadCatalog(database);
  };

  const create = (databaseName: string, name: string): Collection => {
    requireNames(databaseName, name);
    if ([...catalog.values()].reduce((sum, names) => sum + names.size, 0) >= COLLECTIONS_MAX) {
      throw new CommandError('BadValue', `there are ${COLLECTIONS_MAX} collections already`);
    }
    const insert = database.prepare('INSERT INTO collections (database, name) VALUES (?, ?)');
    const id = Number(insert.run(databaseName, name).lastInsertRowid);
    createDocumentTable(database, id);
    const collection = openCollection(database, id, `${databaseName}.${name}`);
    register(catalog, databaseName, name, collection);
    return collection;
  };

  return {
    find: (databaseName, name) => catalog.get(databaseName)?.get(name),
    findOrCreate: (databaseName, name) =>
      catalog.get(databaseName)?.get(name) ?? create(databaseName, name),

    drop(databaseName, name) {
      const names = catalog.get(databaseName);
      const collection = names?.get(name);
      if (names === undefined || collection === undefined) return false;
      collection.destroy();
      database.prepare('DELETE FROM indexes WHERE collection = ?').run(collection.id);
      database.prepare('DELETE FROM collections WHERE id = ?').run(collection.id);
      names.delete(name);
      if (names.size === 0) catalog.delete(databaseName);
      return true;
    },

    createIndex(collection, definition) {
      if (collection.indexes().length >= INDEXES_MAX) {
        throw new CommandError('CannotCreateIndex', `a collection has at most ${INDEXES_MAX}`);
      }
      const insert = database.prepare(
        'INSERT INTO indexes (collection, name, specification) VALUES (?, ?, ?)',
      );
      const bytes = encodeDocument(definition.specification);
      const id = Number(insert.run(collection.id, definition.name, bytes).lastInsertRowid);
      collection.addIndex(id, definition);
    },

    dropIndex(collection, name) {
      if (name === ID_INDEX_NAME) {
        throw new CommandError('InvalidOptions', 'cannot drop _id index');
      }
      collection.removeIndex(name);
      const remove = database.prepare('DELETE FROM indexes WHERE collection = ? AND name = ?');
      remove.run(collection.id, name);
    },

    databaseNames: () => [...catalog.keys()].sort(),
    collectionNames: (databaseName) => [...(catalog.get(databaseName)?.keys() ?? [])].sort(),
    collections: () => [...catalog.values()].flatMap((names) => [...names.values()]),

    atomically(work) {
      database.exec('SAVEPOINT work');
      try {
        work();
      } catch (error) {
        database.exec('ROLLBACK TO work');
        database.exec('RELEASE work');
        reload();
        throw error;
      }
      database.exec('RELEASE work');
    },

    begin: () => database.exec('BEGIN IMMEDIATE'),
    commit: () => database.exec('COMMIT'),
    rollback() {
      if (database.isTransaction) database.exec('ROLLBACK');
      reload();
    },
    close: () => database.close(),
  };
}
