import type { DatabaseSync } from 'node:sqlite';
import { CommandError } from '../errors';
import { decodeDocument } from '../values/decode';
import { type Collection, createDocumentTable, openCollection } from './collection';
import { parseIndexDefinition } from './index-definition';

/** The open collections, by the name of their database and their own. */
export type Catalog = Map<string, Map<string, Collection>>;

const COLLECTIONS_MAX = 10_000;

/** Opens every collection with its indexes. */
export function loadCatalog(sqlite: DatabaseSync): Catalog {
  const catalog: Catalog = new Map();
  const indexRows = sqlite.prepare('SELECT * FROM indexes WHERE collection = ? ORDER BY id');
  for (const row of sqlite.prepare('SELECT * FROM collections ORDER BY id').all()) {
    const id = Number(row.id);
    const databaseName = String(row.database);
    const collection = openCollection(sqlite, id, `${databaseName}.${String(row.name)}`);
    for (const index of indexRows.all(id)) {
      const bytes = Buffer.from(index.specification as Uint8Array);
      const definition = parseIndexDefinition(decodeDocument(bytes));
      collection.attachIndex(Number(index.id), definition, Number(index.multikey) === 1);
    }
    register(catalog, databaseName, String(row.name), collection);
  }
  return catalog;
}

function register(
  catalog: Catalog,
  databaseName: string,
  name: string,
  collection: Collection,
): void {
  const names = catalog.get(databaseName) ?? new Map<string, Collection>();
  names.set(name, collection);
  catalog.set(databaseName, names);
}

const DATABASE_NAME = /^[^/\\. "$*<>:|?\0]{1,63}$/;

function requireNames(databaseName: string, name: string): void {
  const valid =
    DATABASE_NAME.test(databaseName) &&
    name !== '' &&
    name.length <= 200 &&
    !/[$\0]/.test(name) &&
    !name.startsWith('.') &&
    !name.startsWith('system.');
  if (!valid) {
    const namespace = `${databaseName}.${name}`;
    throw new CommandError('InvalidNamespace', `Invalid namespace specified '${namespace}'`);
  }
}

/** Makes a collection with its table and lists it. */
export function addCollection(
  sqlite: DatabaseSync,
  catalog: Catalog,
  databaseName: string,
  name: string,
): Collection {
  requireNames(databaseName, name);
  if ([...catalog.values()].reduce((sum, names) => sum + names.size, 0) >= COLLECTIONS_MAX) {
    throw new CommandError('BadValue', `there are ${COLLECTIONS_MAX} collections already`);
  }
  const insert = sqlite.prepare('INSERT INTO collections (database, name) VALUES (?, ?)');
  const id = Number(insert.run(databaseName, name).lastInsertRowid);
  createDocumentTable(sqlite, id);
  const collection = openCollection(sqlite, id, `${databaseName}.${name}`);
  register(catalog, databaseName, name, collection);
  return collection;
}
