import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Api } from '../../support/api';
import { PRODUCT_MAIN } from '../../support/repository';
import { startProcess } from '../../support/running-process';

const CREDIT = '5.00';
const MANAGED_AT_ONCE = 8;
const IMPORT_NAME = 'bench';
const RUNNING_MAX = 1000;

/** What a population offers. */
export interface PopulationLoad {
  readonly url: string;
  /** One key for each account. */
  readonly keys: readonly string[];
  readonly body: string;
  /** How often each account asks. */
  readonly everySeconds: number;
  readonly seconds: number;
}

/** Where the product runs, for a command beside it. */
export interface CommandPlace {
  readonly environment: Readonly<Record<string, string>>;
  readonly directory: string;
}

/** How many there are, and of what plan: the free one when absent. */
export interface Population {
  readonly accounts: number;
  readonly keys: number;
  readonly plan?: string;
}

/** Opens accounts with some credit each and spreads the keys over them; answers the keys. */
export async function openManyAccounts(
  operator: Api,
  counts: Population,
  place: CommandPlace,
): Promise<readonly string[]> {
  populations += 1;
  const prefix = `${IMPORT_NAME} ${populations}.`;
  const keys = Array.from(
    { length: counts.keys },
    () => `bench-${randomBytes(16).toString('hex')}`,
  );
  const file = join(place.directory, 'keys.jsonl');
  const lines = keys.map((key, index) => toImportLine(key, `${prefix}${index % counts.accounts}`));
  writeFileSync(file, lines.join(''));
  const command = startProcess(process.execPath, [PRODUCT_MAIN, 'keys', 'import', file], {
    directory: process.cwd(),
    environment: place.environment,
  });
  const code = await command.exited;
  if (code !== 0) throw new Error(`the keys were not imported: ${command.output()}`);
  const opened = (await listAccounts(operator)).filter(({ name }) => name.startsWith(prefix));
  if (opened.length !== counts.accounts) {
    throw new Error(`${opened.length} of ${counts.accounts} accounts were opened`);
  }
  await prepareAccounts(operator, opened, counts.plan);
  return keys;
}

let populations = 0;

function toImportLine(key: string, account: string): string {
  const digest = createHash('sha256').update(key).digest('hex');
  return `${JSON.stringify({ account, name: 'key', digest })}\n`;
}

interface ListedAccount {
  readonly id: string;
  readonly name: string;
}

async function listAccounts(operator: Api): Promise<readonly ListedAccount[]> {
  const found: ListedAccount[] = [];
  let cursor: string | null = null;
  do {
    const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await operator.get(`/v1/admin/accounts?limit=200${after}`);
    found.push(...(page.items as readonly ListedAccount[]));
    cursor = page.next_cursor as string | null;
  } while (cursor !== null);
  return found;
}

async function prepareAccounts(
  operator: Api,
  accounts: readonly ListedAccount[],
  plan: string | undefined,
): Promise<void> {
  const waiting = [...accounts];
  const work = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const path = `/v1/admin/accounts/${next.id}`;
      const headers = { 'idempotency-key': `credit-${next.id}` };
      await operator.post(`${path}/credits`, { amount: CREDIT }, headers);
      if (plan !== undefined) await operator.put(`${path}/plan`, { plan });
    }
  };
  await Promise.all(Array.from({ length: MANAGED_AT_ONCE }, work));
}

/** Lets every account ask in its turn, evenly spread; answers how many requests were served. */
export async function offerEvenly(load: PopulationLoad): Promise<number> {
  const { origin, pathname } = new URL(load.url);
  const pool = new Pool(origin, { connections: 64 });
  const total = Math.floor((load.keys.length * load.seconds) / load.everySeconds);
  const betweenMs = (load.everySeconds * 1000) / load.keys.length;
  const startMs = performance.now();
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  for (let index = 0; index < total && failures.length === 0; index += 1) {
    const waitMs = startMs + index * betweenMs - performance.now();
    if (waitMs > 1) await delay(waitMs);
    const key = load.keys[index % load.keys.length] ?? '';
    const one = ask(pool, pathname, key, load.body)
      .catch((error: unknown) => failures.push(error))
      .then(() => void running.delete(one));
    running.add(one);
    if (running.size > RUNNING_MAX) await Promise.race(running);
  }
  await Promise.all(running);
  await pool.close();
  if (failures.length > 0) throw failures[0];
  return total;
}

async function ask(pool: Pool, path: string, key: string, body: string): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const { statusCode, body: answer } = await pool.request({ method: 'POST', path, headers, body });
  const text = await answer.text();
  if (statusCode !== 200) throw new Error(`a request was answered ${statusCode}: ${text}`);
}
