import { backoffDelayMs, type Clock, createId, delay, type Logger, SCOPES } from '@tollgate/core';
import { newAccount } from '../domain/account';
import { createKey, revokeKey } from '../domain/api-key';
import { changeBy } from '../domain/events';
import { createKeyText, createPublicId, keyPreviewOf } from '../domain/key-codec';
import { defaultKeySettings } from '../domain/key-settings';
import type { BillingClient, FirstStartState, FirstStartStore } from '../domain/ports';
import { parseEmail, type User, withChange } from '../domain/user';
import { changeRecord } from './changes';
import type { Dependencies } from './dependencies';

/** The records that the first start made, for showing once. */
export interface FirstStartResult {
  readonly accountId: string;
  readonly email: string;
  /** The whole key; only a digest of it is stored. */
  readonly apiKey: string;
}

export interface FirstStartOptions
  extends Pick<
    Dependencies,
    'random' | 'digester' | 'accounts' | 'users' | 'keys' | 'hasher' | 'relay'
  > {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly firstStarts: FirstStartStore;
  readonly email: string;
  /** Without one nobody can log in until configuration gives one. */
  readonly password: string | undefined;
  readonly plan: string;
  /** Does the work while no other replica does. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * Makes the operator account, its user and its first key when there is no user at all. A start that
 * was interrupted is finished by the next one, under the ids of the first.
 */
export async function runFirstStart(
  options: FirstStartOptions,
): Promise<FirstStartResult | undefined> {
  const { firstStarts } = options;
  const known = await firstStarts.find();
  const isDue = known === undefined ? !(await firstStarts.anyUserExists()) : !known.made;
  const result = isDue ? await options.alone(() => makeOnce(options)) : undefined;
  if (result === undefined) await setMissingPassword(options);
  return result;
}

/** Undefined when another replica made everything. */
async function makeOnce(options: FirstStartOptions): Promise<FirstStartResult | undefined> {
  const { logger, firstStarts } = options;
  const state = await begin(options);
  if (state === undefined) return undefined;
  const result = await makeOperator(options, state);
  if (!(await firstStarts.markMade(state.keyId))) {
    // This start stalled for so long that another one followed, and showed a key of its own.
    await revokeUnseenKey(options, state);
    return undefined;
  }
  logger.info({ accountId: state.accountId }, 'first start: operator account made');
  return result;
}

/** Every start makes a key of its own, so that none ever takes the place of one that was shown. */
async function begin(options: FirstStartOptions): Promise<FirstStartState | undefined> {
  const { firstStarts } = options;
  const keyId = createId('apiKey');
  const begun = await firstStarts.find();
  if (begun === undefined) {
    const ids = { accountId: createId('account'), userId: createId('user'), keyId };
    const state = { ...ids, begunAtMs: options.clock.now(), made: false, credited: false };
    return (await firstStarts.begin(state)) ? state : undefined;
  }
  if (begun.made || !(await firstStarts.beginAgain(begun.keyId, keyId))) return undefined;
  await revokeUnseenKey(options, begun);
  return { ...begun, keyId };
}

async function makeOperator(
  options: FirstStartOptions,
  state: FirstStartState,
): Promise<FirstStartResult> {
  const { clock, accounts, relay, plan } = options;
  const { accountId } = state;
  const now = clock.now();
  // False means that an interrupted first start came this far: its ids are the same.
  await accounts.insert(newAccount({ id: accountId, name: 'Operator', plan }, now));
  const { email } = await insertOperator(options, state, now);
  const account = await accounts.find(accountId);
  if (account !== undefined) await relay.relayAccount(account);
  return { accountId, email, apiKey: await makeFirstKey(options, state, now) };
}

/** Answers the user as stored: a start that was interrupted may have had another email. */
async function insertOperator(
  { users, hasher, email, password }: FirstStartOptions,
  { accountId, userId: id }: FirstStartState,
  now: number,
): Promise<User> {
  const operator: User = {
    id,
    email: parseEmail(email),
    emailProven: true,
    displayName: 'Operator',
    role: 'operator',
    status: 'active',
    accountId,
    passwordHash: password === undefined ? undefined : await hasher.hash(password),
    identities: [],
    createdAt: now,
    rev: 1,
  };
  const isMade = await users.insert(operator);
  return isMade ? operator : ((await users.find(id)) ?? operator);
}

async function makeFirstKey(
  options: FirstStartOptions,
  state: FirstStartState,
  now: number,
): Promise<string> {
  const { random, digester, keys } = options;
  const publicId = createPublicId(random);
  const apiKey = createKeyText(publicId, random);
  const digest = digester.digest(apiKey);
  const key = createKey(
    {
      id: state.keyId,
      accountId: state.accountId,
      settings: { ...defaultKeySettings(SCOPES), name: 'first key' },
      preview: keyPreviewOf(publicId),
      publicId,
      digest,
      createdBy: state.userId,
    },
    changeBy({ userId: state.userId }, now),
  );
  await keys.insert(key);
  await options.relay.relayKey(key);
  return apiKey;
}

/** Nobody knows the secret of a key that a start made and did not show. */
async function revokeUnseenKey(
  { clock, keys }: FirstStartOptions,
  { keyId, userId }: FirstStartState,
): Promise<void> {
  if ((await keys.find(keyId)) === undefined) return;
  const source = changeBy({ userId }, clock.now());
  await changeRecord({
    load: () => keys.find(keyId),
    change: (key) => (key.revokedAt === undefined ? revokeKey(key, source) : key),
    write: keys.update,
  });
}

/** An operator made without a password gets the one that configuration gives later. */
async function setMissingPassword(options: FirstStartOptions): Promise<void> {
  const { users, hasher, password } = options;
  if (password === undefined) return;
  const state = await options.firstStarts.find();
  const operator: User | undefined = state && (await users.find(state.userId));
  if (operator === undefined || operator.passwordHash !== undefined) return;
  if (operator.identities.length > 0) return;
  const passwordHash = await hasher.hash(password);
  await users.update(withChange(operator, { passwordHash }));
}

export interface FirstCreditOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly firstStarts: FirstStartStore;
  readonly billing: BillingClient;
  /** Nano-units; 0 grants nothing. */
  readonly amount: bigint;
}

const CREDIT_BACKOFF = { initialMs: 50, maxMs: 5000 } as const;

/**
 * Grants the operator account its first credit. Repeats until billing has taken it, over restarts;
 * billing counts the idempotency key once, so that repeating is safe.
 */
export async function grantFirstCredit(
  options: FirstCreditOptions,
  signal: AbortSignal,
): Promise<void> {
  const { clock, logger } = options;
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    try {
      await grantOnce(options);
      return;
    } catch (error) {
      logger.debug({ error, attempt }, 'the first credit could not be granted yet');
      await delay(clock, backoffDelayMs(CREDIT_BACKOFF, attempt), signal).catch(() => {});
    }
  }
}

async function grantOnce({ firstStarts, billing, amount }: FirstCreditOptions): Promise<void> {
  const state = await firstStarts.find();
  if (state === undefined || state.credited) return;
  if (amount > 0n) {
    const { accountId } = state;
    const idempotencyKey = 'first-start';
    await billing.addCredits({ accountId, amount, note: 'Initial credit', idempotencyKey });
  }
  await firstStarts.markCredited();
}
