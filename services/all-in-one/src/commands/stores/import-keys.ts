import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { type Environment, parseConfig } from '@tollgate/config';
import type { ImportReport } from '@tollgate/identity';
import { EXIT, type ServiceHost } from '@tollgate/lifecycle';
import { allInOneConfigSchema } from '../../config';
import { DATA_FILES } from '../../start/data-directory';
import { loadGeneratedSecrets } from '../../start/generated-secrets';
import { type CommandOutcome, toOutcome } from '../outcome';
import { createCommandHost, withGiven, withStore } from './command-host';

/** The file to import, and who hears of its progress. */
export interface ImportRequest {
  /** JSON Lines, an object with account, name and digest in each; `-` is standard input. */
  readonly file: string;
  readonly json: boolean;
  progress(sentence: string): void;
}

const LINES_BETWEEN_SENTENCES = 10_000;
const REFUSALS_SHOWN_MAX = 20;

/**
 * Imports keys issued before v1 into the store that the environment names, or into the embedded
 * one, running or not. Exit code 0 means that every line is in; running it again changes nothing.
 */
export async function importKeysFrom(
  request: ImportRequest,
  environment: Environment,
): Promise<CommandOutcome> {
  const host = createCommandHost('keys-import', environment);
  const { dataDirectory } = parseConfig(allInOneConfigSchema, environment);
  const found = withGiven(findPeppers(dataDirectory), environment);
  return await withStore(found, host, (complete) => runImport(request, complete, host));
}

/** Peppers that a first start made for itself; none where the operator has always given them. */
function findPeppers(dataDirectory: string): Environment {
  const path = join(resolve(dataDirectory), DATA_FILES.secrets);
  if (!existsSync(path)) return {};
  return { TOLLGATE_KEY_PEPPERS: loadGeneratedSecrets(path, () => false).keyPeppers };
}

async function runImport(
  { file, json, progress }: ImportRequest,
  environment: Environment,
  host: ServiceHost,
): Promise<CommandOutcome> {
  const { importKeys, importKeysConfigSchema } =
    require('@tollgate/identity') as typeof import('@tollgate/identity');
  const config = parseConfig(importKeysConfigSchema, environment);
  return report(await importKeys(config, host, readLines(file, progress)), json);
}

async function* readLines(
  file: string,
  progress: (sentence: string) => void,
): AsyncGenerator<string> {
  let count = 0;
  for await (const line of file === '-' ? linesOf(process.stdin) : await openLines(file)) {
    count += 1;
    if (count % LINES_BETWEEN_SENTENCES === 0) progress(`${count} lines read`);
    yield line;
  }
}

function linesOf(input: NodeJS.ReadableStream): AsyncIterable<string> {
  return createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
}

async function openLines(file: string): Promise<AsyncIterable<string>> {
  const handle = await open(file);
  return handle.readLines();
}

function report(imports: ImportReport, json: boolean): CommandOutcome {
  const { imported, known, refusedCount, refused } = imports;
  const shown = refused.slice(0, REFUSALS_SHOWN_MAX);
  const lines = [
    `${imported} imported, ${known} already there, ${refusedCount} refused`,
    ...shown.map(({ line, reason }) => `  line ${line}: ${reason}`),
    ...(refusedCount > shown.length ? [`  and ${refusedCount - shown.length} more`] : []),
  ];
  const exitCode = refusedCount === 0 ? EXIT.clean : EXIT.failed;
  const found = { imported, known, refused: refusedCount, refused_lines: shown };
  return toOutcome(exitCode, found, { json, text: lines.join('\n') });
}
