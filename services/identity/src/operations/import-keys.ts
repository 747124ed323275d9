import {
  type AppError,
  createId,
  invalid,
  isCode,
  isId,
  isObject,
  parseDisplayName,
  parseJson,
} from '@tollgate/core';
import { type Account, DEFAULT_PLAN, hasErasureBegun, newAccount } from '../domain/account';
import { createKey } from '../domain/api-key';
import { changeBy } from '../domain/events';
import { defaultKeySettings } from '../domain/key-settings';
import type { Dependencies } from './dependencies';

/** A legacy key, known by its digest alone: the key itself stays with its owner. */
interface LegacyKeyEntry {
  /** An account's id, or a name under which one is found or made. */
  readonly account: string;
  readonly name: string;
  /** SHA-256 of the key, 64 lowercase hex digits. */
  readonly digest: string;
}

export interface ImportReport {
  readonly imported: number;
  /** Already there from an earlier run. */
  readonly known: number;
  /** How many lines could not be imported. */
  readonly refusedCount: number;
  /** The first thousand of them. */
  readonly refused: readonly ImportRefusal[];
}

export interface ImportRefusal {
  /** Counted from 1. */
  readonly line: number;
  readonly reason: string;
}

const SHA256_HEX = /^[0-9a-f]{64}$/;
const FIELDS = ['account', 'name', 'digest'] as const;
const REFUSALS_KEPT_MAX = 1000;

/**
 * Imports keys from JSON Lines: in each an object with `account`, `name` and `digest`. A line that
 * cannot be imported is reported and stops no other; empty lines are skipped. Running it again
 * changes nothing. Events stay in the keys' outboxes, from where the running service relays them.
 */
export function createImportKeys(
  deps: Pick<Dependencies, 'clock' | 'digester' | 'accounts' | 'keys'>,
) {
  const { clock, digester, keys } = deps;

  const importOne = async (entry: LegacyKeyEntry): Promise<'imported' | 'known'> => {
    const legacyDigest = digester.digestLegacy(digestOf(entry));
    const name = parseDisplayName('name', entry.name);
    const account = await accountFor(deps, entry.account);
    const now = clock.now();
    const key = createKey(
      {
        id: createId('apiKey'),
        accountId: account.id,
        settings: { ...defaultKeySettings(), name },
        preview: 'issued before v1',
        legacyDigest,
      },
      changeBy(undefined, now),
    );
    return (await keys.insert(key)) ? 'imported' : 'known';
  };

  return async (lines: AsyncIterable<string>): Promise<ImportReport> => {
    const refused: ImportRefusal[] = [];
    const counts = { imported: 0, known: 0, refusedCount: 0 };
    let position = 0;
    for await (const line of lines) {
      position += 1;
      if (line.trim() === '') continue;
      try {
        counts[await importOne(parseEntry(line))] += 1;
      } catch (error) {
        // A store that cannot be reached is no fault of the line: it ends the import.
        if (!isCode(error, 'VALIDATION_ERROR')) throw error;
        counts.refusedCount += 1;
        const reason = error.message;
        if (refused.length < REFUSALS_KEPT_MAX) refused.push({ line: position, reason });
      }
    }
    return { ...counts, refused };
  };
}

function parseEntry(line: string): LegacyKeyEntry {
  const entry = parseJson(line);
  // No message of the parser: it repeats the text, which could be a key.
  if (!isObject(entry)) throw unreadable();
  const unknown = Object.keys(entry).some((name) => !FIELDS.some((field) => field === name));
  const { account, name, digest } = entry;
  if (unknown || typeof account !== 'string' || typeof name !== 'string') throw unreadable();
  if (typeof digest !== 'string') throw unreadable();
  return { account, name, digest };
}

function unreadable(): AppError {
  return invalid('line', 'The line must be a JSON object with account, name and digest.');
}

/** Messages are shown in a terminal: they repeat no input, because it could be a key. */
function digestOf({ digest }: LegacyKeyEntry): string {
  if (SHA256_HEX.test(digest)) return digest;
  throw invalid('digest', 'digest must be the SHA-256 of the key, 64 lowercase hex digits.');
}

async function accountFor(
  deps: Pick<Dependencies, 'clock' | 'accounts'>,
  reference: string,
): Promise<Account> {
  const { accounts, clock } = deps;
  if (isId('account', reference)) {
    const account = await accounts.find(reference);
    if (account !== undefined && !hasErasureBegun(account)) return account;
    throw invalid('account', `account ${reference} does not exist or was erased.`);
  }
  const name = parseDisplayName('account', reference);
  const known = await accounts.findByImportRef(name);
  if (known !== undefined) return known;
  const now = clock.now();
  const fresh = newAccount({ id: createId('account'), name, plan: DEFAULT_PLAN }, now);
  const isMade = await accounts.insert({ ...fresh, importRef: name });
  const account = isMade ? fresh : await accounts.findByImportRef(name);
  if (account === undefined) throw new Error(`account ${name} could not be made.`);
  return account;
}
