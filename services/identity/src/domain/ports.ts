import type { IdPage, PageWindow } from '@tollgate/core';
import type { AccessClaims, SigningKeyRecord } from './access-token';
import type { Account, AccountStatus } from './account';
import type { ApiKey } from './api-key';
import type { AuditLogEntry, AuditLogFilter } from './audit-log';
import type { RecordedEvent } from './events';
import type { OAuthCode, OAuthProfile, OAuthState } from './oauth';
import type { ResetCode } from './reset-code';
import type { RefreshToken, Session } from './session';
import type { LinkedIdentity, User } from './user';

/** A page of one account's records, or of all accounts'. */
export interface ListFilter {
  readonly accountId?: string;
  readonly window: PageWindow;
}

/** A part of the records whose text begins with the prefix. */
export interface PrefixSearch<Item> {
  readonly prefix: string;
  readonly after: Item | undefined;
  readonly limit: number;
}

/** A record as it lies in the store; one that cannot be read keeps nobody from the others. */
export interface StoredRecord<Item> {
  readonly id: string;
  /** Throws when the document makes no sense. */
  read(): Item;
}

/** Records whose events are written together with them. */
export interface OutboxStore<Item> {
  /** Empties the outbox when the revision still stands. */
  clearOutbox(item: Item): Promise<void>;
  /** Records with events that are not published yet. */
  listPending(page: IdPage): Promise<readonly StoredRecord<Item>[]>;
  /** Records with a change of which the gateways were not notified yet, published or not. */
  listUnnotified(page: IdPage): Promise<readonly RecordRevision[]>;
  /** The gateways were notified of everything up to the revision. */
  markNotified(record: RecordRevision): Promise<void>;
}

export interface RecordRevision {
  readonly id: string;
  readonly rev: number;
}

export interface AccountStore extends OutboxStore<Account> {
  /** False when the id or the name under which keys were imported is taken. */
  insert(account: Account): Promise<boolean>;
  find(id: string): Promise<Account | undefined>;
  findByImportRef(importRef: string): Promise<Account | undefined>;
  /** Writes when the stored revision is still `next.rev - 1`. */
  update(next: Account): Promise<boolean>;
  /** Only for an account whose owner could not be made. */
  remove(id: string): Promise<void>;
  /** Newest first, one more than the window's limit; of one status, or of any. */
  list(window: PageWindow, status?: AccountStatus): Promise<readonly Account[]>;
  /** Those of which something personal may be left, by id. */
  listErasing(page: IdPage): Promise<readonly Account[]>;
  /** Those whose name begins with the prefix, whatever its case, by name, after the given one. */
  searchByName(
    search: PrefixSearch<Account> & { readonly status?: AccountStatus },
  ): Promise<readonly Account[]>;
}

export interface UserStore {
  /** False when the id, the email or a linked identity is taken. */
  insert(user: User): Promise<boolean>;
  find(id: string): Promise<User | undefined>;
  findByEmail(email: string): Promise<User | undefined>;
  findByIdentity(identity: LinkedIdentity): Promise<User | undefined>;
  /** Writes when the stored revision is still `next.rev - 1`. */
  update(next: User): Promise<boolean>;
  /** True when there was one to be removed. */
  remove(id: string): Promise<boolean>;
  list(filter: ListFilter): Promise<readonly User[]>;
  /** Those whose email begins with the prefix, by email, after the given one. */
  searchByEmail(
    search: PrefixSearch<User> & { readonly accountId?: string },
  ): Promise<readonly User[]>;
  /** How many people the account has, counted up to `countMax`. */
  countOf(accountId: string, countMax: number): Promise<number>;
  /** Those of the account who can sign in, at most `limit`. */
  listOwnersAndOperators(accountId: string, limit: number): Promise<readonly User[]>;
  /** Operators in the account who can sign in, at most `limit`. */
  listOperatorsOf(accountId: string, limit: number): Promise<readonly User[]>;
  /** Operators of the platform who can sign in, at most `limit`. */
  listOperators(limit: number): Promise<readonly User[]>;
}

export interface ApiKeyStore extends OutboxStore<ApiKey> {
  /** False when the id, the public id or the legacy digest is taken. */
  insert(key: ApiKey): Promise<boolean>;
  find(id: string): Promise<ApiKey | undefined>;
  findByPublicId(publicId: string): Promise<ApiKey | undefined>;
  /** The one key whose public id begins so, or is one of `near`; undefined when several are. */
  findLike(beginning: string, near: readonly string[]): Promise<ApiKey | undefined>;
  findByLegacyDigest(digests: readonly string[]): Promise<ApiKey | undefined>;
  /** Writes when the stored revision is still `next.rev - 1`; leaves the last use alone. */
  update(next: ApiKey): Promise<boolean>;
  /** Keys that are not revoked, newest first, one more than the window's limit. */
  list(filter: ListFilter & { readonly createdBy?: string }): Promise<readonly ApiKey[]>;
  /** Keys of the account, revoked ones too, that `eraseKey` was not applied to. */
  listUnerased(accountId: string, limit: number): Promise<readonly ApiKey[]>;
  /** How many keys are not revoked, counted up to `countMax`. */
  countPresent(accountId: string, countMax: number): Promise<number>;
  /** Moves each key's last use forward, never back. */
  touch(lastUsedAt: ReadonlyMap<string, number>): Promise<void>;
  /**
   * Keys in use that expire within the bounds, both included, and have no notice of `daysBefore`
   * yet; the soonest expiry first.
   */
  listExpiring(query: {
    readonly fromAtMs: number;
    readonly untilAtMs: number;
    readonly daysBefore: number;
    readonly exceptIds: readonly string[];
    readonly limit: number;
  }): Promise<readonly ApiKey[]>;
}

/** Bounds of how many records of a kind an account has, which hold for parallel creation. */
export interface QuotaStore {
  /** True when there are fewer than `max`: one more may be made, or must be released. */
  acquire(quota: {
    /** The name of the bound, for example `api-keys acc_...`. */
    readonly name: string;
    readonly max: number;
    readonly now: number;
    /** How many records there are; some may have been made without a part of the quota. */
    count(): Promise<number>;
  }): Promise<boolean>;
  release(name: string, now: number): Promise<void>;
}

/** The log of management writes. */
export interface AuditLogStore {
  insert(entry: AuditLogEntry): Promise<void>;
  /** Changes nothing when it is there already. */
  insertOnce(entry: AuditLogEntry): Promise<void>;
  /** Changes nothing of an entry that is not there. */
  update(id: string, changes: Partial<AuditLogEntry>): Promise<void>;
  remove(id: string): Promise<void>;
  find(id: string): Promise<AuditLogEntry | undefined>;
  /** Newest first, one more than the window's limit, without what was sent, before and after. */
  list(filter: AuditLogFilter, window: PageWindow): Promise<readonly AuditLogEntry[]>;
}

export interface SessionStore {
  insert(session: Session): Promise<void>;
  find(id: string): Promise<Session | undefined>;
  end(id: string, userId: string, now: number): Promise<void>;
  endAll(userId: string, now: number): Promise<void>;
}

export interface RefreshTokenStore {
  insert(token: RefreshToken): Promise<void>;
  find(digest: string): Promise<RefreshToken | undefined>;
  /** True for exactly one of several calls. */
  use(digest: string, now: number): Promise<boolean>;
}

export interface LoginAttemptStore {
  /** Counts one attempt in the window that contains `now`; answers the count with it. */
  count(key: string, windowMs: number, now: number): Promise<number>;
  clear(key: string, windowMs: number, now: number): Promise<void>;
  remember(key: string, untilAtMs: number): Promise<void>;
  isRemembered(key: string, now: number): Promise<boolean>;
}

export interface OAuthStore {
  insertState(state: OAuthState): Promise<void>;
  /** Answers it to exactly one of several calls. */
  takeState(digest: string): Promise<OAuthState | undefined>;
  insertCode(code: OAuthCode): Promise<void>;
  takeCode(digest: string): Promise<OAuthCode | undefined>;
}

export interface ResetCodeStore {
  /** Takes the place of an earlier code of the user. */
  write(code: ResetCode): Promise<void>;
  find(digest: string): Promise<ResetCode | undefined>;
  /** True for exactly one of several calls. */
  take(digest: string): Promise<boolean>;
  removeOf(userId: string): Promise<void>;
}

export interface SigningKeyStore {
  /** False when the id or the generation is taken. */
  insert(key: SigningKeyRecord): Promise<boolean>;
  list(): Promise<readonly SigningKeyRecord[]>;
  remove(kid: string): Promise<void>;
}

/** What is removed with an account besides its people and keys. All may be asked for again. */
export interface RemnantStore {
  /** Sessions, refresh tokens and codes of the user. */
  removeLoginsOf(userId: string): Promise<void>;
  /** Names that the account had, all but the one that it has. */
  removeFormerNames(account: Pick<Account, 'id' | 'name'>): Promise<void>;
  /**
   * Removes the answers that are kept for an Idempotency-Key and tell of what was made under these
   * ids. The Idempotency-Key is refused until its day is over, so that nothing is done twice.
   */
  forgetAnswers(effectIds: readonly string[]): Promise<void>;
  /**
   * Empties what was sent, before and after in a page of entries, and of an account's the addresses
   * of its own people; the id to go on after.
   */
  blankEntries(page: EntryPage): Promise<string | undefined>;
  /** Empties the address in a page of entries; the id to go on after. */
  blankAddresses(page: EntryPage): Promise<string | undefined>;
}

/** Entries of the audit log with one value of an indexed field, by id. */
export interface EntryPage {
  readonly field: 'accountId' | 'actorUserId' | 'actorKeyId' | 'resourceId';
  readonly value: string;
  readonly after: string | undefined;
}

/** Where the one-time work of the first start stands. */
export interface FirstStartState {
  readonly accountId: string;
  readonly userId: string;
  /** The key of the start that began last: only that one may show its key. */
  readonly keyId: string;
  /** When the first start began; older versions cannot read it without. */
  readonly begunAtMs: number;
  readonly made: boolean;
  readonly credited: boolean;
}

export interface FirstStartStore {
  find(): Promise<FirstStartState | undefined>;
  /** False when another replica was faster. */
  begin(state: FirstStartState): Promise<boolean>;
  /** Follows the start of `keyId` with one of another key; false when it is not the last, or made. */
  beginAgain(keyId: string, nextKeyId: string): Promise<boolean>;
  /** False when another start followed the one of this key. */
  markMade(keyId: string): Promise<boolean>;
  markCredited(): Promise<void>;
  anyUserExists(): Promise<boolean>;
}

/** Changes of principals, numbered; every gateway is notified of them within a second. */
export interface PrincipalLog {
  revision(): bigint;
  /** Ids of keys, of accounts, and of users of whom a session ended. */
  append(ids: readonly string[]): Promise<unknown>;
  subscribe(afterRevision: bigint, listener: (delta: PrincipalDelta) => void): () => void;
}

/** Without changes it is a heartbeat of a stream. */
export interface PrincipalDelta {
  readonly revision: bigint;
  readonly changes: readonly string[];
  /** Every cached principal must be forgotten. */
  readonly reset: boolean;
}

export interface EventPublisher {
  /** Resolves when the bus has them; what concerns gateways alone is not published. */
  publish(events: readonly RecordedEvent[]): Promise<void>;
}

export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** Takes the same time without a hash, and answers false then. */
  verify(hash: string | undefined, password: string): Promise<boolean>;
}

export interface AccessTokenIssuer {
  issue(claims: AccessClaims): { readonly token: string; readonly expiresInS: number };
  publicKeys(): readonly PublicSigningKey[];
}

export interface PublicSigningKey {
  readonly kid: string;
  readonly publicKeyPem: string;
}

/** The signing keys in memory, with their private halves opened. */
export interface TokenKeyring extends AccessTokenIssuer {
  /** Replaces what is held; throws when a private half does not open or does not fit. */
  load(keys: readonly SigningKeyRecord[]): void;
  generate(generation: number, createdAtMs: number, activeFromAtMs: number): SigningKeyRecord;
}

export interface OAuthProvider {
  readonly id: string;
  readonly name: string;
  authorizationUrl(request: AuthorizationRequest): Promise<string>;
  /** Checks the callback and asks the provider who logged in. */
  complete(callbackUrl: string, request: AuthorizationRequest): Promise<OAuthProfile>;
}

/** The fields that both halves of a login at a provider share. */
export interface AuthorizationRequest {
  readonly redirectUri: string;
  readonly state: string;
  readonly codeVerifier: string;
  readonly nonce: string;
}

export interface BillingClient {
  /** The same idempotency key never credits twice. */
  addCredits(credit: {
    readonly accountId: string;
    readonly amount: bigint;
    readonly note: string;
    readonly idempotencyKey: string;
  }): Promise<void>;
}
