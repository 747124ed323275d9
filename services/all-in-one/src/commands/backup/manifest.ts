import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IndexSpecification } from '@tollgate/mongo';
import { PRIVATE_FILE } from '../../start/private-files';
import type { FileFigures } from './bson-file';

/** One file of a backup, in its directory. */
export interface BackupFile extends FileFigures {
  readonly file: string;
}

/** A collection: its documents as concatenated BSON, as mongodump writes them. */
export interface BackupCollection extends BackupFile {
  readonly name: string;
  readonly documents: number;
  readonly indexes: readonly IndexSpecification[];
}

/** What a backup holds. It is written last: a directory without it is no backup. */
export interface BackupManifest {
  readonly format: 1;
  readonly id: string;
  readonly made_at: string;
  /** `stopped`: all of one moment. `running`: accounts first, the ledger last. */
  readonly moment: 'stopped' | 'running';
  readonly store: 'embedded' | 'mongodb';
  /** The steps of the schema that the documents have been through, as `SERVICE:STEP`. */
  readonly migrations: readonly string[];
  readonly collections: readonly BackupCollection[];
  /** The sealing keys and peppers of a data directory that made its own. */
  readonly secrets: BackupFile | null;
}

const MANIFEST = 'manifest.json';
const FORMAT = 1;

export function writeManifest(directory: string, manifest: BackupManifest): void {
  const path = join(directory, MANIFEST);
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
  writeFileSync(`${path}.new`, text, { mode: PRIVATE_FILE, flush: true });
  renameSync(`${path}.new`, path);
}

/** Throws a sentence when there is no manifest, or one of another format. */
export function readManifest(directory: string): BackupManifest {
  const path = join(directory, MANIFEST);
  let value: Partial<BackupManifest>;
  try {
    value = JSON.parse(readFileSync(path, 'utf8')) as Partial<BackupManifest>;
  } catch (error) {
    throw new Error(`${directory} holds no finished backup: ${path} cannot be read`, {
      cause: error,
    });
  }
  if (value.format !== FORMAT || !isWhole(value)) {
    throw new Error(`${path} is not of format ${FORMAT}: restore it with the version that made it`);
  }
  return value;
}

function isWhole(value: Partial<BackupManifest>): value is BackupManifest {
  const { id, collections, migrations, secrets } = value;
  if (id === undefined || collections === undefined || migrations === undefined) return false;
  const files: readonly BackupFile[] = secrets ? [...collections, secrets] : collections;
  return files.every(({ file }) => /^[\w.-]+$/.test(file));
}
