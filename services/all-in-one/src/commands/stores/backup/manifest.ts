import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type JsonObject } from '@tollgate/core';
import type { IndexSpecification } from '@tollgate/mongo';
import { PRIVATE_FILE } from '../../../start/private-files';
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
  /** `stopped`: all of one moment. `running`: in the order of `inOrderOfCopy`, the ledger last. */
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
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${directory} holds no finished backup: ${path} cannot be read`, {
      cause: error,
    });
  }
  if (!isObject(value) || value.format !== FORMAT) {
    throw new Error(`${path} is not of format ${FORMAT}: restore it with the version that made it`);
  }
  const fault = findFault(value);
  if (fault !== undefined) throw new Error(`${path} is damaged: ${fault}`);
  // What a restore goes by was looked at; the rest is only told.
  return value as unknown as BackupManifest;
}

/** What is wrong with a manifest of this format, as the end of a sentence. */
function findFault({ id, collections, migrations, secrets }: JsonObject): string | undefined {
  if (typeof id !== 'string' || id === '') return 'it has no id';
  if (!isListOf(migrations, isText)) return 'migrations must be a list of names';
  if (!isListOf(collections, isObject)) return 'collections must be a list';
  if (secrets !== null && !isObject(secrets)) return 'secrets must be a file or null';
  const names = new Set<unknown>();
  for (const each of collections) {
    const fault = findFileFault(each) ?? findCollectionFault(each);
    if (fault !== undefined) return `collection ${JSON.stringify(each.name)}: ${fault}`;
    if (names.has(each.name)) return `collection "${String(each.name)}" is there twice`;
    names.add(each.name);
  }
  const fault = secrets === null ? undefined : findFileFault(secrets);
  return fault === undefined ? undefined : `secrets: ${fault}`;
}

/** A name of dots alone leads out of the directory. */
const FILE_NAME = /^\w[\w.-]*$/;
const SHA256 = /^[0-9a-f]{64}$/;

function findFileFault({ file, bytes, sha256 }: JsonObject): string | undefined {
  if (!isText(file) || !FILE_NAME.test(file)) return 'file must be a name in the directory';
  if (!isCount(bytes)) return 'bytes must be a number of 0 or more';
  return isText(sha256) && SHA256.test(sha256) ? undefined : 'sha256 must be 64 digits in hex';
}

/** Those of the engine itself, such as system.users and $cmd, are no part of the product. */
const COLLECTION_NAME = /^(?!system\.)[a-z][\w.]*$/;

function findCollectionFault({ name, documents, indexes }: JsonObject): string | undefined {
  if (!isText(name) || !COLLECTION_NAME.test(name)) return 'this is no name of a collection';
  if (!isCount(documents)) return 'documents must be a number of 0 or more';
  return isListOf(indexes, isIndex) ? undefined : 'indexes must be a list with keys and names';
}

function isIndex(value: unknown): value is JsonObject {
  if (!isObject(value) || !isText(value.name) || !isObject(value.key)) return false;
  const directions = Object.values(value.key);
  return directions.length > 0 && directions.every((one) => one === 1 || one === -1 || isText(one));
}

function isListOf<Item>(
  value: unknown,
  isItem: (item: unknown) => item is Item,
): value is readonly Item[] {
  return Array.isArray(value) && value.every(isItem);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
