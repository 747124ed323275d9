import {
  AppError,
  type Clock,
  CODES_PER_BATCH_MAX,
  codeClaimId,
  createId,
  type Idempotency,
  invalid,
  isCode,
  type Logger,
  type Nano,
  type Page,
  type PageRequest,
  pageById,
  windowOf,
  ZERO_NANO,
} from '@tollgate/core';
import type { Claim } from '../domain/claims';
import {
  type Code,
  type CodeStatus,
  claimOnCode,
  codeDigest,
  codeStatusOf,
  createCode,
  isExpired,
  previewOf,
  uselessCode,
} from '../domain/codes';
import type { ClaimStore, CodeFilter, CodeStore, StoredCode } from '../domain/ports';
import type { CreditClaim } from './claims';
import type { GrantResult, RequireCreditRoom } from './credits';
import type { IdempotentRunner } from './dependencies';

/** A code with what became of it. */
export interface CodeState {
  readonly code: Code;
  readonly status: CodeStatus;
  /** Who redeemed it, or that it was revoked, and when. */
  readonly claim: Claim | undefined;
}

export interface CreateCodesInput {
  readonly amount: Nano;
  readonly count: number;
  readonly note: string;
  /** Milliseconds since the epoch; undefined when they do not expire. */
  readonly expiresAtMs: number | undefined;
  /** Whose Idempotency-Key it is. */
  readonly scope: string;
  /** Who makes them, where that is known. */
  readonly actorId?: string | undefined;
  readonly idempotency: Idempotency;
}

export interface CreatedCodes {
  readonly batchId: string;
  readonly codes: readonly CodeState[];
  /** In the order of the codes; empty when replayed. */
  readonly texts: readonly string[];
  readonly replayed: boolean;
}

export interface CodeOperations {
  create(input: CreateCodesInput): Promise<CreatedCodes>;
  get(id: string): Promise<CodeState>;
  list(filter: CodeFilter, page: PageRequest): Promise<Page<CodeState>>;
  /** Of a code or of a batch; answers how many may not be redeemed any more by this. */
  revoke(id: string, actorId?: string): Promise<number>;
  redeem(accountId: string, text: string, actorId?: string): Promise<GrantResult>;
}

interface Dependencies {
  readonly codes: CodeStore;
  readonly claims: ClaimStore;
  readonly creditClaim: CreditClaim;
  readonly requireCreditRoom: RequireCreditRoom;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly runIdempotently: IdempotentRunner;
}

export function createCodeOperations(deps: Dependencies): CodeOperations {
  return {
    create: (input) => createCodes(deps, input),
    async get(id) {
      const code = await deps.codes.find(id);
      if (code === undefined) throw new AppError('NOT_FOUND');
      const stateOf = await stateReader(deps, [code]);
      return stateOf(code);
    },
    async list({ batchId, preview }, page) {
      const window = windowOf(page);
      const filter = { batchId, preview: preview && previewOf(preview) };
      const { items, nextCursor } = pageById(await deps.codes.list(filter, window), window);
      return { items: await readableStatesOf(deps, items), nextCursor };
    },
    revoke: (id, actorId) => revokeCodes(deps, id, actorId),
    redeem: (accountId, text, actorId) => redeemCode(deps, accountId, text, actorId),
  };
}

/** Makes a batch once for its key; the texts are told to the request that made it, and never kept. */
async function createCodes(deps: Dependencies, input: CreateCodesInput): Promise<CreatedCodes> {
  const { codes, clock, randomBytes, runIdempotently } = deps;
  const { amount, count, note, expiresAtMs, scope, actorId, idempotency } = input;
  const createdAtMs = clock.now();
  if (count < 1 || count > CODES_PER_BATCH_MAX) {
    throw invalid('count', `count must be 1 to ${CODES_PER_BATCH_MAX}.`);
  }
  let texts: readonly string[] = [];
  /** What an interrupted request left of the batch: nobody was told their texts. */
  let left: readonly StoredCode[] = [];
  const { answer, replayed } = await runIdempotently<{ readonly batchId: string }>({
    scope,
    operation: 'create-codes',
    idempotency,
    newEffectId: () => createId('codeBatch'),
    async effect(batchId) {
      // For new codes only: at a repetition the expiry that was asked for may be past.
      if (expiresAtMs !== undefined && expiresAtMs <= createdAtMs) {
        throw invalid('expires_at', 'expires_at must be in the future.');
      }
      // No others: whoever overtook this process has made codes of its own under the same ids.
      if (left.length > 0) await codes.remove(left);
      const batch = { batchId, amount, note, expiresAtMs, createdAtMs, createdBy: actorId };
      const made = Array.from({ length: count }, (_, place) =>
        createCode(batch, place, randomBytes),
      );
      if (!(await codes.insert(made.map(({ code }) => code)))) throw new AppError('CONFLICT');
      texts = made.map(({ text }) => text);
      return { batchId };
    },
    async findEffect(batchId) {
      const found = await codes.listBatch(batchId, CODES_PER_BATCH_MAX);
      if (found.length >= count) return { batchId };
      left = found;
      return undefined;
    },
  });
  const { batchId } = answer;
  const found = await codes.listBatch(batchId, CODES_PER_BATCH_MAX);
  return { batchId, codes: await readableStatesOf(deps, found), texts, replayed };
}

/** Without codes that cannot be read, and those whose claim cannot. */
async function readableStatesOf(
  deps: Dependencies,
  stored: readonly StoredCode[],
): Promise<readonly CodeState[]> {
  const stateOf = await stateReader(deps, stored);
  return readEach(deps, stored, ({ read }) => stateOf(read()));
}

/** What `read` makes of those that it can read; the others are told of in the log. */
function readEach<Read>(
  { logger }: Dependencies,
  stored: readonly StoredCode[],
  read: (code: StoredCode) => Read,
): readonly Read[] {
  return stored.flatMap((code) => {
    try {
      return [read(code)];
    } catch (error) {
      logger.error({ error, code: code.id }, 'a code or its claim cannot be read: it is left out');
      return [];
    }
  });
}

/** Tells the state of each of these codes; it throws where the claim on one cannot be read. */
async function stateReader(
  { claims, clock }: Dependencies,
  codes: readonly Pick<Code, 'id'>[],
): Promise<(code: Code) => CodeState> {
  const kept = await claims.find(codes.map(({ id }) => codeClaimId(id)));
  const byId = new Map(kept.map((claim) => [claim.id, claim]));
  const now = clock.now();
  return (code) => {
    const claim = byId.get(codeClaimId(code.id))?.read();
    return { code, claim, status: codeStatusOf(code, claim, now) };
  };
}

/**
 * A revoked code is one that nobody has claimed: whoever redeems it at this moment may be first. One
 * that cannot be read is revoked too; one whose claim cannot be read is claimed.
 */
async function revokeCodes(
  deps: Dependencies,
  id: string,
  actorId: string | undefined,
): Promise<number> {
  const { codes, claims, clock } = deps;
  const code = await codes.findStored(id);
  const batch = code === undefined ? await codes.listBatch(id, CODES_PER_BATCH_MAX) : [code];
  if (batch.length === 0) throw new AppError('NOT_FOUND');
  const before = await claims.find(batch.map((each) => codeClaimId(each.id)));
  const claimed = new Set(before.map((claim) => claim.id));
  let revoked = 0;
  for (const stored of batch) {
    if (claimed.has(codeClaimId(stored.id))) continue;
    const [readable] = readEach(deps, [stored], ({ read }) => read());
    const each = readable ?? { id: stored.id, amount: ZERO_NANO, note: '' };
    const kept = await claims.keep(claimOnCode(each, undefined, clock.now(), actorId));
    if (kept.accountId === undefined) revoked += 1;
  }
  const wasRevoked = () => before.some((claim) => claim.read().accountId === undefined);
  if (code !== undefined && revoked === 0 && !wasRevoked()) {
    throw new AppError('CONFLICT', { publicMessage: 'This code was redeemed already.' });
  }
  return revoked;
}

/** The first account that is kept as the code's owner has it; it may ask again. */
async function redeemCode(
  { codes, claims, creditClaim, requireCreditRoom, clock }: Dependencies,
  accountId: string,
  text: string,
  actorId: string | undefined,
): Promise<GrantResult> {
  const digest = codeDigest(text);
  const code = digest === undefined ? undefined : await codes.findByDigest(digest);
  if (code === undefined) throw uselessCode();
  const now = clock.now();
  const [stored] = await claims.find([codeClaimId(code.id)]);
  const kept = stored?.read();
  // Who has it is answered also when the code is over by now.
  if (kept === undefined && isExpired(code, now)) throw uselessCode();
  if (kept !== undefined && kept.accountId !== accountId) throw uselessCode();
  // An account without room would be the code's owner for ever, and nobody would have its credit.
  if (kept === undefined) await requireCreditRoom(accountId, code.amount);
  try {
    return await creditClaim(claimOnCode(code, accountId, now, actorId));
  } catch (error) {
    if (isCode(error, 'CONFLICT')) throw uselessCode();
    throw error;
  }
}
