import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Marks a file as one of ours, so that another program's database is never written to. */
const APPLICATION_ID = 0x746f6c6c;
const FORMAT_VERSION = 1;

/** Keeps all data in memory, for tests. */
export const IN_MEMORY = ':memory:';

const SCHEMA = `
  CREATE TABLE collections (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    database TEXT NOT NULL,
    name TEXT NOT NULL,
    UNIQUE (database, name)
  );
  CREATE TABLE indexes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    collection INTEGER NOT NULL,
    name TEXT NOT NULL,
    specification BLOB NOT NULL,
    multikey INTEGER NOT NULL DEFAULT 0,
    UNIQUE (collection, name)
  );
`;

/**
 * Opens or makes the data file. Every commit reaches the disk before it is acknowledged, and the
 * file is locked, so that a second process fails at start instead of writing beside this one.
 */
export function openDataFile(dataPath: string): DatabaseSync {
  if (dataPath !== IN_MEMORY) makePrivateFile(dataPath);
  const sqlite = new DatabaseSync(dataPath, { timeout: 1_000 });
  try {
    sqlite.exec('PRAGMA locking_mode = EXCLUSIVE');
    sqlite.exec('PRAGMA journal_mode = WAL');
    sqlite.exec('PRAGMA synchronous = FULL');
    sqlite.exec('PRAGMA cache_size = -32768');
    sqlite.exec('PRAGMA temp_store = MEMORY');
    prepareSchema(sqlite, dataPath);
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw explain(error, dataPath);
  }
}

/**
 * Stored documents are for nobody else on the machine. The file is made before SQLite
 * opens it, because its log, which is made with it, takes the mode that the file has then.
 */
function makePrivateFile(dataPath: string): void {
  mkdirSync(dirname(dataPath), { recursive: true, mode: 0o700 });
  closeSync(openSync(dataPath, 'a', 0o600));
  const files = [dataPath, `${dataPath}-wal`].filter((path) => existsSync(path));
  for (const path of files) chmodSync(path, 0o600);
}

function prepareSchema(sqlite: DatabaseSync, dataPath: string): void {
  const version = readPragma(sqlite, 'user_version');
  if (version === 0 && readPragma(sqlite, 'application_id') === 0) {
    sqlite.exec('BEGIN IMMEDIATE');
    sqlite.exec(SCHEMA);
    sqlite.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    sqlite.exec(`PRAGMA user_version = ${FORMAT_VERSION}`);
    sqlite.exec('COMMIT');
    return;
  }
  if (readPragma(sqlite, 'application_id') !== APPLICATION_ID || version !== FORMAT_VERSION) {
    throw new Error(`${dataPath} is not a data file of this store in format ${FORMAT_VERSION}`);
  }
}

function readPragma(sqlite: DatabaseSync, name: string): number {
  return Number(sqlite.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
}

function explain(error: unknown, dataPath: string): unknown {
  if (String(error).includes('database is locked')) {
    return new Error(`${dataPath} is in use by another process`, { cause: error });
  }
  return error;
}
