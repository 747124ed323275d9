import { createSystemClock } from '@tollgate/core';
import type { Command } from 'commander';
import { type CommandDependencies, OUTCOME_AS_JSON } from '../command';
import { readSeconds } from '../option-readers';
import { productAddressOf } from '../product-client';
import { backUp } from './backup/backup';
import { restore } from './backup/restore';
import { examine } from './doctor/doctor';
import { importKeysFrom } from './import-keys';
import { migrateStores } from './migrate';
import { retireLostSpool, runSpoolDrain } from './spool';

/**
 * Adds the commands that work on stores, spools and files, each in its own way; of them `doctor` asks
 * the running product as well.
 */
export function addStoreCommands(program: Command, deps: CommandDependencies): void {
  addSpool(program, deps);
  addMigrate(program, deps);
  addKeysImport(program, deps);
  addBackup(program, deps);
  addRestore(program, deps);
  addDoctor(program, deps);
}

function addSpool(program: Command, { environment, finish }: CommandDependencies): void {
  const spool = program.command('spool').description('usage records on local disk');
  spool
    .command('drain')
    .argument('<directory>', 'the spool of a completion instance that is gone for good')
    .option('--timeout-seconds <seconds>', 'give up after this time', readSeconds, 60)
    .option('--json', OUTCOME_AS_JSON, false)
    .description('settle them with the billing that BILLING_ADDRESS names')
    .action(async (directory: string, { timeoutSeconds, json }: SpoolOptions) => {
      const request = { directory, json, timeoutMs: timeoutSeconds * 1000 };
      finish(await runSpoolDrain(request, environment));
    });
  spool
    .command('retire')
    .argument('<spool id>', 'the spool of a completion instance whose disk is destroyed')
    .requiredOption('--disk-is-destroyed', 'what it holds can never be settled any more')
    .option('--timeout-seconds <seconds>', 'give up after this time', readSeconds, 60)
    .option('--json', OUTCOME_AS_JSON, false)
    .description('give its leases up with the billing that BILLING_ADDRESS names')
    .action(async (spoolId: string, { timeoutSeconds, json }: SpoolOptions) => {
      const request = { spoolId, json, timeoutMs: timeoutSeconds * 1000 };
      finish(await retireLostSpool(request, environment));
    });
}

interface SpoolOptions {
  readonly timeoutSeconds: number;
  readonly json: boolean;
}

function addMigrate(program: Command, { environment, finish }: CommandDependencies): void {
  program
    .command('migrate')
    .description(
      'bring the document store that MONGODB_URI names up to this version, and make the topics ' +
        'that KAFKA_BROKERS lack, before services start; the embedded store is brought up by itself',
    )
    .option('--json', OUTCOME_AS_JSON, false)
    .action(async (options: { json: boolean }) => {
      finish(await migrateStores(options, environment));
    });
}

function addKeysImport(program: Command, deps: CommandDependencies): void {
  const { environment, progress, finish } = deps;
  program
    .command('keys')
    .description('API keys')
    .command('import')
    .argument('<file>', 'JSON Lines: {"account":...,"name":...,"digest":...}; - is standard input')
    .description(
      'let keys issued before v1 go on working; digest is the SHA-256 of a key, 64 hex digits. ' +
        'The product may run or not, and an import may be repeated.',
    )
    .option('--json', OUTCOME_AS_JSON, false)
    .action(async (file: string, { json }: { json: boolean }) => {
      finish(await importKeysFrom({ file, json, progress }, environment));
    });
}

function addBackup(program: Command, deps: CommandDependencies): void {
  const { environment, progress, finish } = deps;
  program
    .command('backup')
    .description(
      'copy all collections of the store, MONGODB_URI or the data directory, but six that a restore ' +
        'begins anew, and the secrets that a data directory made for itself',
    )
    .requiredOption('--to <directory>', 'is made; one that holds something is refused')
    .option('--while-running', 'copy while the product runs: a restore cuts the ledger', false)
    .option('--json', OUTCOME_AS_JSON, false)
    .action(async (options: { to: string; whileRunning: boolean; json: boolean }) => {
      finish(await backUp({ ...options, progress }, environment));
    });
}

function addRestore(program: Command, deps: CommandDependencies): void {
  const { environment, progress, finish } = deps;
  program
    .command('restore')
    .description(
      'put a backup into the empty store of MONGODB_URI or into the data directory, while the ' +
        'product is stopped; asked for again it goes on where it was interrupted',
    )
    .requiredOption('--from <directory>', 'a backup, which is checked before anything is changed')
    .option('--force', 'replace what is there', false)
    .option('--json', OUTCOME_AS_JSON, false)
    .action(async (options: { from: string; force: boolean; json: boolean }) => {
      finish(await restore({ ...options, progress }, environment));
    });
}

function addDoctor(program: Command, { environment, finish }: CommandDependencies): void {
  program
    .command('doctor')
    .description(
      'look at settings, disk, store, sealing keys, Kafka, Redis, the running product, its currency ' +
        'and its vendors, and say what to mend; changes nothing but the health of up to five ' +
        'channels that fail or may, whose vendors it asks for a short answer, which they may ' +
        'charge; exits with 1 when something fails',
    )
    .option('--url <url>', 'public address of the product', productAddressOf(environment))
    .option('--json', OUTCOME_AS_JSON, false)
    .action(async (options: { url: string; json: boolean }) => {
      finish(await examine({ ...options, clock: createSystemClock() }, environment));
    });
}
