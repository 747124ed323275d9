import { existsSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Environment } from '@tollgate/config';
import { toIsoTime } from '@tollgate/core';
import { EXIT } from '@tollgate/lifecycle';
import {
  createRawCollections,
  type MongoStore,
  type RawCollections,
  RESTORE_MARKS,
  raiseRevisions,
} from '@tollgate/mongo';
import { isGiven, withPlaceholders } from '../../../start/embedded-environment';
import { loadGeneratedSecrets, storeGeneratedSecrets } from '../../../start/generated-secrets';
import { PRIVATE_DIRECTORY } from '../../../start/private-files';
import { selectTargets } from '../../../start/targets';
import { type CommandOutcome, toOutcome } from '../../outcome';
import { createCommandHost } from '../command-host';
import { countDocuments, figuresOf, readBsonFile } from './bson-file';
import { ACCOUNTS, inOrderOfRestore, LEDGER_CUT, LEFT_OUT } from './collections';
import { cutLedger } from './cut-ledger';
import {
  type BackupCollection,
  type BackupFile,
  type BackupManifest,
  readManifest,
} from './manifest';
import { type ReachedData, reachData } from './reach-data';
import { createRestoreMark, type RestoreMark } from './restore-mark';

export interface RestoreRequest {
  readonly from: string;
  /** Replace what is there. */
  readonly force: boolean;
  readonly json: boolean;
  progress(sentence: string): void;
}

const REMEDY = 'stop the product first';

/** More notices than an account can have got since the copy was made that is restored. */
const RAISED_BY = 1_000_000;

/**
 * Puts a backup in the place of what the environment names: all of it is checked before anything
 * is changed. One that was interrupted goes on when it is asked for again. At its end the ledger is
 * cut to where the accounts stand, and the numbers of notices and of the revision logs are raised.
 * Throws a sentence when it cannot.
 */
export async function restore(
  request: RestoreRequest,
  environment: Environment,
): Promise<CommandOutcome> {
  const { force, json, progress } = request;
  const from = resolve(request.from);
  const manifest = readManifest(from);
  requireKnownSchema(manifest, environment);
  for (const file of filesOf(manifest)) await requireUnchanged(from, file);
  for (const collection of manifest.collections) await requireDocuments(from, collection);
  progress('the backup is whole');
  const host = createCommandHost('restore', environment);
  const reach = { environment, host, whileRunning: false, mayCreate: true, remedy: REMEDY };
  const data = await reachData({ ...reach, progress });
  try {
    requireSecrets(from, manifest, data, force);
    const raw = createRawCollections(data.store);
    const mark = createRestoreMark(data.store, manifest.id);
    if (!(await mark.isOfThisBackup())) {
      if (force) await clearOthers(raw, request, manifest);
      else await requireEmptyStore(raw);
      await mark.begin(toIsoTime(host.clock.now()));
    }
    putSecrets(from, manifest, data);
    for (const name of LEFT_OUT) await raw.clear(name);
    const documents = await loadAll(raw, mark, { from, manifest, progress });
    const { entries, accounts } = await cutLedger(data.store, raw, await mark.name());
    if (entries > 0) progress(`${entries} entries after the copy went to billing_ledger_cut`);
    await raiseNotices(data.store);
    await raiseRevisions(data.store);
    await mark.end();
    const found = {
      documents,
      collections: manifest.collections.length,
      cut_entries: entries,
      cut_accounts: accounts,
    };
    const text =
      `${documents} documents of ${found.collections} collections are restored, ${entries} ` +
      `entries of the ledger cut off: ${nextSteps(environment)}`;
    return toOutcome(EXIT.clean, found, { json, text });
  } finally {
    await data.close();
  }
}

/** What is left to do. Who restores from a container of its own may not have named Kafka to it. */
function nextSteps(environment: Environment): string {
  const start =
    'start the product and run tollgate audit; where services run apart, start billing, audit, ' +
    'then start the rest';
  const ofKafka =
    'set the offsets of the groups stats and webhook to the end (step 5 of ' +
    'docs/runbooks/restoring-the-database.md), then';
  if (isGiven(environment, 'KAFKA_BROKERS')) return `${ofKafka} ${start}`;
  return isGiven(environment, 'MONGODB_URI') ? `with Kafka, ${ofKafka} ${start}` : start;
}

/** A step that this version has never heard of was made by a newer one. */
function requireKnownSchema(manifest: BackupManifest, environment: Environment): void {
  const complete = withPlaceholders(environment);
  const known = new Set(
    selectTargets(['all'])
      .filter(({ engines }) => engines.includes('mongodb'))
      .flatMap((target) =>
        target
          .load()
          .migrations(complete)
          .map(({ name }) => `${target.name}:${name}`),
      ),
  );
  const unknown = manifest.migrations.filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new Error(`the backup is of a newer version, which restores it: ${unknown.join(', ')}`);
}

function filesOf({ collections, secrets }: BackupManifest): readonly BackupFile[] {
  return secrets === null ? collections : [...collections, secrets];
}

async function requireUnchanged(from: string, { file, bytes, sha256 }: BackupFile): Promise<void> {
  const path = join(from, file);
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry === undefined) throw new Error(`${path} is missing: the backup is not whole`);
  if (!entry.isFile()) throw new Error(`${path} is not a file: the backup is not whole`);
  const found = await figuresOf(path);
  if (found.bytes === bytes && found.sha256 === sha256) return;
  throw new Error(`${path} is not what was copied: ${found.bytes} bytes of ${bytes}, or damaged`);
}

async function requireDocuments(
  from: string,
  { file, documents }: BackupCollection,
): Promise<void> {
  const path = join(from, file);
  const found = await countDocuments(path);
  if (found === documents) return;
  throw new Error(`${path} has ${found} documents, and the manifest speaks of ${documents}`);
}

async function requireEmptyStore(raw: RawCollections): Promise<void> {
  for (const name of await raw.names()) {
    if ((await raw.count(name)) === 0) continue;
    throw new Error(`${name} holds documents: --force replaces what is there by the backup`);
  }
}

/** What the backup does not have is not there after its restore either, but what restores cut off. */
async function clearOthers(
  raw: RawCollections,
  { progress }: RestoreRequest,
  { collections }: BackupManifest,
): Promise<void> {
  const own = [...LEFT_OUT, LEDGER_CUT, RESTORE_MARKS];
  const kept = new Set([...collections.map(({ name }) => name), ...own]);
  for (const name of await raw.names()) {
    if (kept.has(name) || (await raw.count(name)) === 0) continue;
    await raw.clear(name);
    progress(`${name}: emptied, because the backup does not have it`);
  }
}

/** Other secrets are replaced only when that is asked for: what they sealed is lost with them. */
function requireSecrets(
  from: string,
  { secrets }: BackupManifest,
  { secretsPath }: ReachedData,
  force: boolean,
): void {
  if (force || secrets === null || secretsPath === undefined || !existsSync(secretsPath)) return;
  if (readFileSync(secretsPath).equals(readFileSync(join(from, secrets.file)))) return;
  throw new Error(`${secretsPath} holds other secrets: --force replaces them`);
}

/** Before any document: what is sealed is of no use without them. */
function putSecrets(from: string, { secrets }: BackupManifest, { secretsPath }: ReachedData): void {
  if (secrets === null || secretsPath === undefined) return;
  mkdirSync(dirname(secretsPath), { recursive: true, mode: PRIVATE_DIRECTORY });
  storeGeneratedSecrets(
    secretsPath,
    loadGeneratedSecrets(join(from, secrets.file), () => false),
  );
}

interface Loading {
  readonly from: string;
  readonly manifest: BackupManifest;
  progress(sentence: string): void;
}

async function loadAll(
  raw: RawCollections,
  mark: RestoreMark,
  { from, manifest, progress }: Loading,
): Promise<number> {
  const byName = new Map(manifest.collections.map((each) => [each.name, each]));
  let total = 0;
  for (const name of inOrderOfRestore([...byName.keys()])) {
    const { file, documents = 0, indexes = [] } = byName.get(name) ?? {};
    total += documents;
    if (file === undefined || (await mark.has(name))) continue;
    // What restores cut off is kept, whichever of them the copy knows.
    const isKept = name === LEDGER_CUT;
    // Half of any other may be there since a restore that was interrupted.
    if (!isKept) await raw.clear(name);
    await raw.createIndexes(name, indexes);
    for await (const page of readBsonFile(join(from, file))) {
      await (isKept ? raw.insertAs(name, page, (id) => id) : raw.insert(name, page));
    }
    const loaded = await raw.count(name);
    const isWhole = isKept ? loaded >= documents : loaded === documents;
    if (!isWhole) throw new Error(`${name} has ${loaded} documents of ${documents}`);
    await mark.add(name);
    progress(`${name}: ${documents} documents`);
  }
  return total;
}

/**
 * Numbers the notices of every account on: what an account is told after a restore must not have the
 * number of a notice that the copy does not know, for which webhook would take it and drop it.
 */
async function raiseNotices({ connection }: MongoStore): Promise<void> {
  await connection.collection(ACCOUNTS).updateMany({}, { $inc: { notice_seq: RAISED_BY } });
}
