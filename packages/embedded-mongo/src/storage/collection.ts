import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { CommandError } from '../errors';
import { decodeDocument } from '../values/decode';
import { EMPTY_ARRAY, encodeKey, type KeyComponent } from '../values/index-key';
import { type Document, describeValue, type Value } from '../values/value';
import { ID_INDEX, type IndexDefinition } from './index-definition';
import { type IndexPlace, NO_PLACE, placeOf } from './index-place';
import { createIndexTable, type IndexTable } from './index-table';
import { type KeyRange, readRows, type StoredDocument, toStored } from './rows';

/** A document with its bytes. */
export interface Replacement {
  readonly document: Document;
  readonly body: Buffer;
}

/** The documents of one collection with their indexes kept in step. */
export interface Collection {
  readonly id: number;
  /** `database.collection`, for messages. */
  readonly namespace: string;
  /** Declared indexes; the one on _id is not among them. */
  indexes(): readonly IndexTable[];
  findById(id: Value): StoredDocument | undefined;
  /** Every document in insertion order. */
  scan(): Iterable<StoredDocument>;
  /** Documents by _id in key order. */
  scanIds(range: KeyRange, reverse: boolean): Iterable<StoredDocument>;
  insert(document: Document, body: Buffer): void;
  /** Where each index has the document: what `replace` needs of the old one. */
  placesOf(document: Document): readonly IndexPlace[];
  replace(stored: StoredDocument, old: readonly IndexPlace[], replacement: Replacement): void;
  remove(stored: StoredDocument, document: Document): void;
  /** Registers an index and fills it from the documents; a duplicate is error 11000. */
  addIndex(id: number, definition: IndexDefinition): void;
  /** Registers an index that is already filled. */
  attachIndex(id: number, definition: IndexDefinition, multikey: boolean): void;
  removeIndex(name: string): void;
}

interface Statements {
  readonly byId: StatementSync;
  readonly scan: StatementSync;
  readonly insert: StatementSync;
  readonly replace: StatementSync;
  readonly remove: StatementSync;
  readonly idsAscending: StatementSync;
  readonly idsDescending: StatementSync;
}

function prepareStatements(sqlite: DatabaseSync, table: string): Statements {
  const ids = `SELECT seq, body FROM ${table} WHERE id >= ? AND id < ? ORDER BY id`;
  return {
    byId: sqlite.prepare(`SELECT seq, body FROM ${table} WHERE id = ?`),
    scan: sqlite.prepare(`SELECT seq, body FROM ${table} ORDER BY seq`),
    insert: sqlite.prepare(`INSERT INTO ${table} (id, body) VALUES (?, ?)`),
    replace: sqlite.prepare(`UPDATE ${table} SET body = ? WHERE seq = ?`),
    remove: sqlite.prepare(`DELETE FROM ${table} WHERE seq = ?`),
    idsAscending: sqlite.prepare(ids),
    idsDescending: sqlite.prepare(`${ids} DESC`),
  };
}

/** The name of the table that holds a collection's documents. */
function documentTable(collectionId: number): string {
  return `documents_${collectionId}`;
}

/** Makes the table of a new collection. */
export function createDocumentTable(sqlite: DatabaseSync, collectionId: number): void {
  sqlite.exec(
    `CREATE TABLE ${documentTable(collectionId)} (
       seq INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, body BLOB NOT NULL
     )`,
  );
}

interface CollectionDependencies {
  readonly sqlite: DatabaseSync;
  readonly namespace: string;
  readonly table: string;
  readonly statements: Statements;
  readonly indexes: IndexSet;
}

/** The declared indexes in the order of their declaration. */
interface IndexSet {
  list(): readonly IndexTable[];
  put(index: IndexTable): void;
  take(name: string): IndexTable | undefined;
}

function createIndexSet(): IndexSet {
  const tables = new Map<string, IndexTable>();
  let list: readonly IndexTable[] = [];
  return {
    list: () => list,
    put(index) {
      tables.set(index.definition.name, index);
      list = [...tables.values()];
    },
    take(name) {
      const index = tables.get(name);
      tables.delete(name);
      list = [...tables.values()];
      return index;
    },
  };
}

/** Opens a collection whose table exists. Callers run writes inside a transaction. */
export function openCollection(sqlite: DatabaseSync, id: number, namespace: string): Collection {
  const table = documentTable(id);
  const statements = prepareStatements(sqlite, table);
  const indexes = createIndexSet();
  const deps = { sqlite, namespace, table, statements, indexes };
  return {
    id,
    namespace,
    indexes: indexes.list,
    ...createReader(statements),
    ...createWriter(deps),
    ...createIndexKeeper(deps),
  };
}

function createReader(statements: Statements): Pick<Collection, 'findById' | 'scan' | 'scanIds'> {
  return {
    findById(id) {
      const row = statements.byId.get(encodeKey(id));
      return row === undefined ? undefined : toStored(row);
    },
    scan: () => readRows(statements.scan, []),
    scanIds: (range, reverse) =>
      readRows(reverse ? statements.idsDescending : statements.idsAscending, [
        range.from,
        range.to,
      ]),
  };
}

/** A key of a unique index belongs to one document; `seq` is the one that may have it. */
function requireUnique(
  namespace: string,
  index: IndexTable,
  added: IndexPlace,
  seq: number | undefined,
): void {
  if (!index.definition.unique) return;
  for (const entry of added.entries) {
    const owner = index.ownerOf(entry.key);
    if (owner !== undefined && owner !== seq) {
      throw duplicateKeyError(namespace, index.definition, entry.components);
    }
  }
}

/** Error 11000 with the members that drivers and mongoose read: `keyPattern` and `keyValue`. */
function duplicateKeyError(
  namespace: string,
  index: IndexDefinition,
  components: readonly KeyComponent[],
): CommandError {
  const keyValue: Document = new Map();
  for (const [position, field] of index.fields.entries()) {
    const component = components[position];
    keyValue.set(field.name, component === EMPTY_ARRAY ? [] : (component ?? null));
  }
  const keyPattern = index.specification.get('key') as Value;
  return new CommandError(
    'DuplicateKey',
    `E11000 duplicate key error collection: ${namespace} index: ${index.name} ` +
      `dup key: ${describeValue(keyValue)}`,
    new Map([
      ['keyPattern', keyPattern],
      ['keyValue', keyValue],
    ]),
  );
}

/** Everything that can refuse a document comes before its first write. */
function createWriter(
  deps: CollectionDependencies,
): Pick<Collection, 'insert' | 'placesOf' | 'replace' | 'remove'> {
  const { namespace, statements, indexes } = deps;
  return {
    insert(document, body) {
      const idKey = encodeKey(document.get('_id'));
      const planned = indexes
        .list()
        .map((index) => ({ index, place: placeOf(index.definition, document) }));
      if (statements.byId.get(idKey) !== undefined) {
        throw duplicateKeyError(namespace, ID_INDEX, [document.get('_id')]);
      }
      for (const { index, place } of planned) requireUnique(namespace, index, place, undefined);
      const seq = Number(statements.insert.run(idKey, body).lastInsertRowid);
      for (const { index, place } of planned) index.add(place, seq);
    },

    placesOf: (document) => indexes.list().map((index) => placeOf(index.definition, document)),

    replace(stored, old, { document, body }) {
      const planned = indexes.list().map((index, at) => ({
        index,
        before: old[at] ?? NO_PLACE,
        fresh: placeOf(index.definition, document),
      }));
      for (const { index, fresh } of planned) requireUnique(namespace, index, fresh, stored.seq);
      statements.replace.run(body, stored.seq);
      for (const { index, before, fresh } of planned) index.move(before, fresh, stored.seq);
    },

    remove(stored, document) {
      statements.remove.run(stored.seq);
      for (const index of indexes.list()) {
        index.drop(placeOf(index.definition, document), stored.seq);
      }
    },
  };
}

function createIndexKeeper(
  deps: CollectionDependencies,
): Pick<Collection, 'addIndex' | 'attachIndex' | 'removeIndex'> {
  const { sqlite, namespace, table, statements, indexes } = deps;
  return {
    addIndex(id, definition) {
      const index = createIndexTable(sqlite, { id, definition, documents: table });
      index.create();
      for (const stored of readRows(statements.scan, [])) {
        const place = placeOf(definition, decodeDocument(stored.body));
        requireUnique(namespace, index, place, stored.seq);
        index.add(place, stored.seq);
      }
      indexes.put(index);
    },

    attachIndex(id, definition, multikey) {
      indexes.put(createIndexTable(sqlite, { id, definition, documents: table, multikey }));
    },

    removeIndex(name) {
      const index = indexes.take(name);
      if (index === undefined) {
        throw new CommandError('IndexNotFound', `index not found with name [${name}]`);
      }
      index.destroy();
    },
  };
}
