import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Environment } from '@tollgate/config';
import { toIsoTime } from '@tollgate/core';
import { EXIT } from '@tollgate/lifecycle';
import { createRawCollections, type RawCollections, requireNoOpenRestore } from '@tollgate/mongo';
import { DATA_FILES } from '../../../start/data-directory';
import { PRIVATE_DIRECTORY } from '../../../start/private-files';
import { type CommandOutcome, toOutcome } from '../../outcome';
import { createCommandHost } from '../command-host';
import { figuresOf, writeBsonFile } from './bson-file';
import { inOrderOfCopy } from './collections';
import {
  type BackupCollection,
  type BackupFile,
  type BackupManifest,
  writeManifest,
} from './manifest';
import { reachData } from './reach-data';

export interface BackupRequest {
  /** A directory that is not there yet, or empty. */
  readonly to: string;
  readonly whileRunning: boolean;
  readonly json: boolean;
  progress(sentence: string): void;
}

const REMEDY = 'stop the product, or copy while it runs with --while-running';

/**
 * Copies what the product of this environment keeps into a directory: every collection but those
 * of `LEFT_OUT`, and the secrets that a data directory made for itself. What is sealed stays
 * sealed. Throws a sentence when it cannot.
 */
export async function backUp(
  { to, whileRunning, json, progress }: BackupRequest,
  environment: Environment,
): Promise<CommandOutcome> {
  const directory = resolve(to);
  requireEmpty(directory);
  const host = createCommandHost('backup', environment);
  const reach = { environment, host, whileRunning, mayCreate: false, remedy: REMEDY };
  const { store, kind, secretsPath, close } = await reachData({ ...reach, progress });
  try {
    await requireNoOpenRestore(store);
    mkdirSync(directory, { recursive: true, mode: PRIVATE_DIRECTORY });
    const raw = createRawCollections(store);
    const migrations = await store.connection
      .collection<{ _id: string }>('migrations')
      .find({})
      .toArray();
    const collections: BackupCollection[] = [];
    for (const name of inOrderOfCopy(await raw.names())) {
      const copied = await copyCollection(raw, name, directory);
      progress(`${name}: ${copied.documents} documents`);
      collections.push(copied);
    }
    const manifest: BackupManifest = {
      ...({ format: 1, id: randomUUID(), made_at: toIsoTime(host.clock.now()) } as const),
      ...({ moment: whileRunning ? 'running' : 'stopped', store: kind } as const),
      migrations: migrations.map(({ _id }) => _id).sort(),
      collections,
      secrets: await copySecrets(secretsPath, directory),
    };
    writeManifest(directory, manifest);
    return report(directory, manifest, json);
  } finally {
    await close();
  }
}

function requireEmpty(directory: string): void {
  if (existsSync(directory) && readdirSync(directory).length > 0) {
    throw new Error(`${directory} is not empty: name a directory for this backup alone`);
  }
}

async function copyCollection(
  raw: RawCollections,
  name: string,
  directory: string,
): Promise<BackupCollection> {
  const file = `${name}.bson`;
  const written = await writeBsonFile(join(directory, file), raw.pages(name));
  return { name, file, ...written, indexes: await raw.indexes(name) };
}

async function copySecrets(
  path: string | undefined,
  directory: string,
): Promise<BackupFile | null> {
  if (path === undefined || !existsSync(path)) return null;
  const file = DATA_FILES.secrets;
  copyFileSync(path, join(directory, file));
  return { file, ...(await figuresOf(join(directory, file))) };
}

function report(
  directory: string,
  { id, moment, collections, secrets }: BackupManifest,
  json: boolean,
): CommandOutcome {
  const sum = (member: 'documents' | 'bytes') =>
    collections.reduce((total, each) => total + each[member], 0);
  const found = {
    directory,
    id,
    moment,
    collections: collections.length,
    documents: sum('documents'),
    bytes: sum('bytes'),
    secrets: secrets !== null,
  };
  const about = secrets === null ? 'keep its sealing keys and peppers apart' : 'with its secrets';
  const text =
    `${found.documents} documents of ${found.collections} collections (${found.bytes} bytes) ` +
    `are in ${directory}, ${about}`;
  return toOutcome(EXIT.clean, found, { json, text });
}
