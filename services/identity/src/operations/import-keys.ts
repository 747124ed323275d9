import { createId, isId } from '@tollgate/core';
import { type Account, DEFAULT_PLAN, parseName } from '../domain/account';
import { createKey } from '../domain/api-key';
import { sha256Hex } from '../domain/key-digest';
import { defaultKeySettings } from '../domain/key-settings';
import type { Dependencies } from './dependencies';
import { newAccount } from './make-account';

/** A key issued before v1: the key itself, or the lowercase hex SHA-256 of it. */
export type LegacyKeyEntry = {
  /** An account's id, or a name under which one is found or made. */
  readonly account: string;
  readonly name: string;
} & ({ readonly key: string } | { readonly digest: string });

export interface ImportReport {
  readonly imported: number;
  /** Already there from an earlier run. */
  readonly known: number;
  readonly refused: readonly ImportRefusal[];
}

export interface ImportRefusal {
  /** Counted from 1. */
  readonly entry: number;
  readonly reason: string;
}

const SHA256_HEX = /^[0-9a-f]{64}$/;
const LEGACY_KEY = /^[\u0021-\u007e]{16,512}$/;
const REFUSALS_KEPT_MAX = 1000;

/**
 * Imports keys; only digests are kept. Running it again changes nothing. What there is to announce
 * stays in the keys' outboxes, from where the running service's relay takes it.
 */
export function createImportKeys(
  deps: Pick<Dependencies, 'clock' | 'digester' | 'accounts' | 'keys'>,
) {
  const { clock, digester, keys } = deps;

  const importOne = async (entry: LegacyKeyEntry): Promise<'imported' | 'known'> => {
    const legacyDigest = digester.digestLegacy(digestOf(entry));
    const name = parseName('name', entry.name);
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
      { id: createId('event'), at: now, actor: undefined },
    );
    return (await keys.insert(key)) === 'exists' ? 'known' : 'imported';
  };

  return async (entries: AsyncIterable<LegacyKeyEntry>): Promise<ImportReport> => {
    const refused: ImportRefusal[] = [];
    const counts = { imported: 0, known: 0 };
    let position = 0;
    for await (const entry of entries) {
      position += 1;
      try {
        counts[await importOne(entry)] += 1;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (refused.length < REFUSALS_KEPT_MAX) refused.push({ entry: position, reason });
      }
    }
    return { ...counts, refused };
  };
}

/** Messages here reach the operator's terminal: they never repeat a key. */
function digestOf(entry: LegacyKeyEntry): string {
  if ('digest' in entry) {
    if (SHA256_HEX.test(entry.digest)) return entry.digest;
    throw new Error('digest must be the SHA-256 of the key, 64 lowercase hex digits');
  }
  if (LEGACY_KEY.test(entry.key) && !entry.key.startsWith('tg_')) return sha256Hex(entry.key);
  throw new Error('key must have 16 to 512 printable characters and not the form of v1');
}

async function accountFor(
  deps: Pick<Dependencies, 'clock' | 'accounts'>,
  reference: string,
): Promise<Account> {
  const { accounts, clock } = deps;
  if (isId('account', reference)) {
    const account = await accounts.find(reference);
    if (account !== undefined) return account;
    throw new Error(`account ${reference} does not exist`);
  }
  const name = parseName('account', reference);
  const known = await accounts.findByImportRef(name);
  if (known !== undefined) return known;
  const now = clock.now();
  const fresh = newAccount({ id: createId('account'), name, plan: DEFAULT_PLAN }, now);
  const outcome = await accounts.insert({ ...fresh, importRef: name });
  const account = outcome === 'inserted' ? fresh : await accounts.findByImportRef(name);
  if (account === undefined) throw new Error(`account ${name} could not be made`);
  return account;
}
