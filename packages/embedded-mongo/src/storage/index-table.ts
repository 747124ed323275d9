import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { IndexDefinition } from './index-definition';
import type { IndexPlace } from './index-place';
import { type KeyRange, readRows, type StoredDocument } from './rows';

/** One declared index on disk: order-preserving keys, each with the document it leads to. */
export interface IndexTable {
  readonly id: number;
  readonly definition: IndexDefinition;
  /** True once any document had an array here; it never turns false again. */
  isMultikey(): boolean;
  /** The document that holds a key of a unique index. */
  ownerOf(key: Buffer): number | undefined;
  scan(range: KeyRange, reverse: boolean): Iterable<StoredDocument>;
  add(place: IndexPlace, seq: number): void;
  drop(place: IndexPlace, seq: number): void;
  /** Writes only the difference, so that an update of other fields costs nothing here. */
  move(old: IndexPlace, fresh: IndexPlace, seq: number): void;
  create(): void;
  destroy(): void;
}

export interface IndexTableOptions {
  readonly id: number;
  readonly definition: IndexDefinition;
  /** The table of the documents. */
  readonly documents: string;
  readonly multikey?: boolean;
}

interface Statements {
  readonly owner: StatementSync;
  readonly ascending: StatementSync;
  readonly descending: StatementSync;
  readonly insert: StatementSync;
  readonly remove: StatementSync;
}

function prepareStatements(sqlite: DatabaseSync, table: string, documents: string): Statements {
  // CROSS JOIN fixes the order of the loops: the index leads, the documents follow.
  const scan = `SELECT d.seq AS seq, d.body AS body FROM ${table} AS i
    CROSS JOIN ${documents} AS d ON d.seq = i.seq WHERE i.key >= ? AND i.key < ?`;
  return {
    owner: sqlite.prepare(`SELECT seq FROM ${table} WHERE key = ? LIMIT 1`),
    ascending: sqlite.prepare(`${scan} ORDER BY i.key, i.seq`),
    descending: sqlite.prepare(`${scan} ORDER BY i.key DESC, i.seq DESC`),
    insert: sqlite.prepare(`INSERT INTO ${table} (key, seq) VALUES (?, ?)`),
    remove: sqlite.prepare(`DELETE FROM ${table} WHERE key = ? AND seq = ?`),
  };
}

/** Opens an index table; `create` makes it when it is new. */
export function createIndexTable(sqlite: DatabaseSync, options: IndexTableOptions): IndexTable {
  const table = `index_${options.id}`;
  let multikey = options.multikey ?? false;
  let prepared: Statements | undefined;
  const statements = (): Statements => {
    prepared ??= prepareStatements(sqlite, table, options.documents);
    return prepared;
  };

  const noteMultikey = (place: IndexPlace) => {
    if (multikey || !place.multikey) return;
    multikey = true;
    sqlite.prepare('UPDATE indexes SET multikey = 1 WHERE id = ?').run(options.id);
  };

  return {
    id: options.id,
    definition: options.definition,
    isMultikey: () => multikey,

    ownerOf(key) {
      const row = statements().owner.get(key);
      return row === undefined ? undefined : Number(row.seq);
    },

    scan: (range, reverse) =>
      readRows(reverse ? statements().descending : statements().ascending, [range.from, range.to]),

    add(place, seq) {
      for (const { key } of place.entries) statements().insert.run(key, seq);
      noteMultikey(place);
    },

    drop(place, seq) {
      for (const { key } of place.entries) statements().remove.run(key, seq);
    },

    move(old, fresh, seq) {
      for (const { key } of old.entries) {
        if (!includes(fresh, key)) statements().remove.run(key, seq);
      }
      for (const { key } of fresh.entries) {
        if (!includes(old, key)) statements().insert.run(key, seq);
      }
      noteMultikey(fresh);
    },

    create() {
      sqlite.exec(
        `CREATE TABLE ${table} (
           key BLOB NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (key, seq)
         ) WITHOUT ROWID`,
      );
    },

    destroy() {
      sqlite.exec(`DROP TABLE ${table}`);
    },
  };
}

function includes({ entries }: IndexPlace, key: Buffer): boolean {
  return entries.some((entry) => entry.key.equals(key));
}
