import type { Environment } from '@tollgate/config';
import { createSystemClock } from '@tollgate/core';
import { type Command, InvalidArgumentError } from 'commander';
import { auditMoney, type CommandOutcome } from './audit';
import { examine } from './doctor/doctor';
import { importKeysFrom } from './import-keys';
import { migrateStores } from './migrate';
import { declareOperatorCommands } from './operate';
import { retireLostSpool, settleOrphanedSpool } from './spool';

export interface CommandSurroundings {
  readonly environment: Environment;
  progress(sentence: string): void;
  finish(outcome: CommandOutcome): void;
}

/** Adds the commands that do one thing and end, beside starting services. */
export function declareCommands(program: Command, surroundings: CommandSurroundings): void {
  addSpool(program, surroundings);
  addAudit(program, surroundings);
  addMigrate(program, surroundings);
  addKeysImport(program, surroundings);
  addDoctor(program, surroundings);
  declareOperatorCommands(program, surroundings);
}

function addSpool(program: Command, { environment, finish }: CommandSurroundings): void {
  const spool = program.command('spool').description('usage records on local disk');
  spool
    .command('drain')
    .argument('<directory>', 'the spool of a completion instance that is gone for good')
    .option('--timeout-seconds <seconds>', 'give up after this time', readSeconds, 60)
    .description('settle them with the billing that BILLING_ADDRESS names')
    .action(async (directory: string, { timeoutSeconds }: { timeoutSeconds: number }) => {
      const request = { directory, timeoutMs: timeoutSeconds * 1000 };
      finish(await settleOrphanedSpool(request, environment));
    });
  spool
    .command('retire')
    .argument('<spool id>', 'the spool of a completion instance whose disk is destroyed')
    .requiredOption('--disk-is-destroyed', 'what it holds can never be settled any more')
    .option('--timeout-seconds <seconds>', 'give up after this time', readSeconds, 60)
    .description('give its leases up with the billing that BILLING_ADDRESS names')
    .action(async (spoolId: string, { timeoutSeconds }: { timeoutSeconds: number }) => {
      const request = { spoolId, timeoutMs: timeoutSeconds * 1000 };
      finish(await retireLostSpool(request, environment));
    });
}

function addAudit(program: Command, surroundings: CommandSurroundings): void {
  const { environment, progress, finish } = surroundings;
  program
    .command('audit')
    .description("check every account's money through the running product")
    .option('--url <url>', 'its public address', 'http://127.0.0.1:8080')
    .option('--timeout-seconds <seconds>', 'give up when it is silent so long', readSeconds, 90)
    .option('--json', 'the audit as one JSON object', false)
    .action(async (options: { url: string; timeoutSeconds: number; json: boolean }) => {
      const { url, timeoutSeconds, json } = options;
      const request = { url, json, timeoutMs: timeoutSeconds * 1000, progress };
      finish(await auditMoney(request, environment));
    });
}

function addMigrate(program: Command, { environment, finish }: CommandSurroundings): void {
  program
    .command('migrate')
    .description(
      'bring the document store that MONGODB_URI names up to this version, before its services ' +
        'start; the embedded store is brought up by itself',
    )
    .action(async () => finish(await migrateStores(environment)));
}

function addKeysImport(program: Command, surroundings: CommandSurroundings): void {
  const { environment, progress, finish } = surroundings;
  program
    .command('keys')
    .description('API keys')
    .command('import')
    .argument('<file>', 'JSON Lines: {"account":...,"name":...,"digest":...}; - is standard input')
    .description(
      'let keys issued before v1 go on working; digest is the SHA-256 of a key, 64 hex digits. ' +
        'The product may run or not, and an import may be repeated.',
    )
    .action(async (file: string) => {
      finish(await importKeysFrom({ file, progress }, environment));
    });
}

function addDoctor(program: Command, { environment, finish }: CommandSurroundings): void {
  program
    .command('doctor')
    .description(
      'look at settings, disk, store, Kafka, Redis, the running product and its vendors, change ' +
        'nothing, and say what to mend; exits with 1 when something fails',
    )
    .option('--url <url>', 'public address of the product', 'http://127.0.0.1:8080')
    .option('--json', 'findings as one JSON object', false)
    .action(async (options: { url: string; json: boolean }) => {
      finish(await examine({ ...options, clock: createSystemClock() }, environment));
    });
}

function readSeconds(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of seconds.');
}
