import {
  type Budget,
  eachLimit,
  fromIsoTime,
  IDEMPOTENCY_KEY,
  invalid,
  isIdentifier,
  isWebhookMessageId,
  LEDGER_NOTE_LENGTH_MAX,
  type Nano,
  pageSize,
  parseNano,
} from '@tollgate/core';
import type { billingV1 } from '@tollgate/protos';
import {
  fromProtoIdempotency,
  fromProtoOptionalTime,
  fromProtoPeriod,
  fromProtoText,
  fromProtoUsageRecord,
} from '@tollgate/rpc';
import type { OwnThresholds, Thresholds } from '../domain/account';
import type { AcquireLease } from '../domain/acquire-lease';
import type { LedgerFilter } from '../domain/ledger-entry';
import { checkKeepable, type ReceivedRecord } from '../domain/usage-record';
import type { Announcement } from '../operations/answers';
import type { CreateCodesInput } from '../operations/codes';
import type { GrantRequest } from '../operations/credits';
import type { LedgerRange } from '../operations/ledger';
import type { PutPlan } from '../operations/plans';
import type { ChargeSearch, LedgerSearch } from '../operations/search-ledger';
import type { TopUp } from '../operations/top-ups';

/** Document fields are named after keys: these two characters mean something else there. */
const KEY_ID = /^[^.$]+$/;
const ADDRESS = /^(unix:.+|dns:\/\/\/.+:\d{1,5}|(\[[0-9a-fA-F:]+\]|[A-Za-z0-9._-]+):\d{1,5})$/;
const LEDGER_LIMIT_MAX = 1_000;

/** An id that may name a document. */
export function fromProtoId(text: string, param: string): string {
  if (!isIdentifier(text)) throw invalid(param, `${param} is not an id.`);
  return text;
}

/** An amount of 0 or more. */
function fromProtoAmount(text: string, param: string): Nano {
  const amount = readNano(text);
  if (amount !== undefined && amount >= 0n) return amount;
  throw invalid(param, `${param} must be an amount of 0 or more.`);
}

/** Undefined for what is no number, or beyond Int64. */
function readNano(text: string): Nano | undefined {
  try {
    return parseNano(text);
  } catch {
    return undefined;
  }
}

/** The budget as its key carries it. */
export function fromProtoBudget(budget: billingV1.KeyBudget__Output): Budget {
  const limit = fromProtoAmount(budget.limit, 'key_budget.limit');
  return { limit, period: fromProtoPeriod(budget.period) };
}

export function fromProtoAcquire(request: billingV1.AcquireLeaseRequest__Output): AcquireLease {
  const { keyBudget, holderAddress } = request;
  if (!ADDRESS.test(holderAddress))
    throw invalid('holder_address', 'holder_address is not an address.');
  if (keyBudget !== null && !KEY_ID.test(keyBudget.keyId)) {
    throw invalid('key_budget.key_id', 'key_budget.key_id is not an id.');
  }
  return {
    holder: fromProtoId(request.holder, 'holder'),
    holderAddress,
    nonce: fromProtoId(request.nonce, 'nonce'),
    amount: fromProtoAmount(request.amount, 'amount'),
    minimum: fromProtoAmount(request.minimum, 'minimum'),
    budget:
      keyBudget === null
        ? undefined
        : {
            keyId: fromProtoId(keyBudget.keyId, 'key_budget.key_id'),
            ...fromProtoBudget(keyBudget),
          },
  };
}

/** Stands for the end of a record that does not say when it ended. */
const UNKNOWN_TIME = '1970-01-01T00:00:00.000Z';

/**
 * A record whose place can be read and whose rest cannot is malformed, and settles at 0: refusing
 * the call would jam its lease. Undefined without a place: then there is nothing to settle.
 */
export function fromProtoReceivedRecord(
  proto: billingV1.UsageRecord__Output,
): ReceivedRecord | undefined {
  const { accountId, holder, lease, number, epoch, kind } = proto;
  if (lease < 1 || number < 1 || !isIdentifier(accountId) || !isIdentifier(holder)) {
    return undefined;
  }
  const isTimed = fromIsoTime(proto.endedAt) !== undefined;
  const endedAt = isTimed ? proto.endedAt : UNKNOWN_TIME;
  const record = { ...fromProtoUsageRecord(proto), endedAt };
  if (record.kind === 'close') return record;
  if (isTimed && kind === 'USAGE_KIND_USAGE') return checkKeepable(record);
  return { accountId, holder, lease, number, epoch, endedAt, kind: 'malformed' };
}

function checkIdempotencyKey(text: string): string {
  if (IDEMPOTENCY_KEY.test(text)) return text;
  throw invalid('Idempotency-Key', 'Idempotency-Key must have 1 to 255 visible characters.');
}

function checkNote(text: string, param: string): string {
  if (text.length <= LEDGER_NOTE_LENGTH_MAX) return text;
  throw invalid(param, `${param} must have at most ${LEDGER_NOTE_LENGTH_MAX} characters.`);
}

function checkWebhookId(text: string): string {
  if (isWebhookMessageId(text)) return text;
  throw invalid('webhook-id', 'webhook-id must have 1 to 200 visible characters.');
}

export function fromProtoTopUp(request: billingV1.TopUpRequest__Output): TopUp {
  const { provider, eventId, currency, reference } = request;
  return {
    provider: fromProtoId(provider, 'provider'),
    currency,
    eventId: checkWebhookId(eventId),
    accountId: fromProtoId(request.accountId, 'account_id'),
    amount: fromProtoPositive(request.amount, 'amount'),
    reference: checkNote(reference, 'reference'),
  };
}

export function fromProtoCreateCodes(
  request: billingV1.CreateCodesRequest__Output,
): CreateCodesInput {
  const { count, note, expiresAt, scope } = request;
  return {
    count,
    note: checkNote(note, 'note'),
    scope,
    actorId: fromProtoText(request.actorId),
    idempotency: fromProtoIdempotency(request),
    amount: fromProtoPositive(request.amount, 'amount'),
    expiresAtMs: fromProtoOptionalTime(expiresAt, 'expires_at'),
  };
}

export function fromProtoPutPlan(request: billingV1.PutPlanRequest__Output): PutPlan {
  const { plan, scope } = request;
  if (plan === null) throw invalid('plan', 'plan is missing.');
  return {
    scope,
    idempotency: fromProtoIdempotency(request),
    plan: {
      id: plan.id,
      name: plan.name,
      ...eachLimit((name) => plan[name]),
      period: 'month',
      price: fromProtoAmount(plan.price, 'price.amount'),
      includedCredit: fromProtoAmount(plan.includedCredit, 'included_credit'),
      groups: plan.groups,
      models: plan.models,
      version: plan.version,
      changedAtMs: 0,
      keepAnswers: plan.keepAnswers ?? true,
      thresholds: plan.thresholds ? fromProtoThresholds(plan.thresholds) : undefined,
    },
  };
}

function fromProtoThresholds({ amounts, days }: billingV1.Thresholds__Output): Thresholds {
  return { amounts: amounts.map((amount) => fromProtoAmount(amount, 'amounts')), days };
}

/** Undefined when the account is to have those of its plan again. */
export function fromProtoSetThresholds(
  request: billingV1.SetThresholdsRequest__Output,
): OwnThresholds | undefined {
  const { thresholds, suspendBelow } = request;
  if (thresholds === null) return undefined;
  const below =
    suspendBelow === undefined ? undefined : fromProtoPositive(suspendBelow, 'suspend_below');
  return { ...fromProtoThresholds(thresholds), suspendBelow: below };
}

const RUNNING_MS_MAX = 86_400_000;

export function fromProtoAnnouncement(request: billingV1.BeginAnswerRequest__Output): Announcement {
  const { keyId, idempotencyKey: key, requestDigest: digest, writing: form } = request;
  if (key !== '') checkIdempotencyKey(key);
  return {
    key,
    digest,
    form,
    accountId: fromProtoId(request.accountId, 'account_id'),
    keyId: fromProtoId(keyId, 'key_id'),
    requestId: fromProtoId(request.requestId, 'request_id'),
    runningMsMax: Math.min(request.runningMsMax, RUNNING_MS_MAX),
  };
}

function fromProtoPositive(text: string, param: string): Nano {
  const amount = fromProtoAmount(text, param);
  if (amount === 0n) throw invalid(param, `${param} must be more than 0.`);
  return amount;
}

export function fromProtoAddCredits(request: billingV1.AddCreditsRequest__Output): GrantRequest {
  return {
    accountId: fromProtoId(request.accountId, 'account_id'),
    amount: fromProtoPositive(request.amount, 'amount'),
    note: checkNote(request.note, 'note'),
    idempotencyKey: checkIdempotencyKey(request.idempotencyKey),
    actorId: fromProtoText(request.actorId),
  };
}

export function fromProtoAdjustBalance(
  request: billingV1.AdjustBalanceRequest__Output,
): GrantRequest {
  const amount = readNano(request.amount);
  if (amount === undefined) throw invalid('amount', 'amount is not an amount.');
  if (amount === 0n) throw invalid('amount', 'amount must not be 0.');
  if (request.reason.trim() === '') throw invalid('reason', 'reason must say why.');
  return {
    accountId: fromProtoId(request.accountId, 'account_id'),
    amount,
    note: checkNote(request.reason, 'reason'),
    idempotencyKey: checkIdempotencyKey(request.idempotencyKey),
    actorId: fromProtoText(request.actorId),
  };
}

function fromProtoSeq(text: string, param: string): number {
  const seq = Number(text);
  if (!Number.isSafeInteger(seq) || seq < 0)
    throw invalid(param, `${param} is not a sequence number.`);
  return seq;
}

export function fromProtoLedgerRange(request: billingV1.ListLedgerRequest__Output): LedgerRange {
  if (request.afterSeq !== undefined) {
    return { afterSeq: fromProtoSeq(request.afterSeq, 'after_seq') };
  }
  const beforeSeq = fromProtoSeq(request.beforeSeq ?? '0', 'before_seq');
  return { beforeSeq: beforeSeq === 0 ? undefined : beforeSeq };
}

/** Others fill gaps of a ledger by this RPC, so a page of it may be longer than a client's. */
export function fromProtoLedgerLimit(limit: number): number {
  return pageSize(limit, LEDGER_LIMIT_MAX);
}

/** Which accounts an audit is of; only that of all accounts can be the kept one. */
export function fromProtoAudit({ accountId, fresh, cursor }: billingV1.AuditRequest__Output) {
  const accounts = {
    accountId: accountId === '' ? undefined : fromProtoId(accountId, 'account_id'),
    after: cursor === '' ? undefined : fromProtoId(cursor, 'cursor'),
  };
  return { ...accounts, fresh: fresh || accountId !== '' || cursor !== '' };
}

export function fromProtoLedgerSearch(
  request: billingV1.SearchLedgerRequest__Output,
): LedgerSearch {
  const beforeSeq = fromProtoSeq(request.beforeSeq, 'before_seq');
  return {
    accountId: fromProtoId(request.accountId, 'account_id'),
    filter: fromProtoLedgerFilter(request.filter),
    limit: fromProtoLedgerLimit(request.limit),
    beforeSeq: beforeSeq === 0 ? undefined : beforeSeq,
  };
}

export function fromProtoChargeSearch(
  request: billingV1.SearchChargesRequest__Output,
): ChargeSearch {
  const { accountId, beforeRequestId } = request;
  return {
    accountId: accountId === '' ? undefined : fromProtoId(accountId, 'account_id'),
    filter: fromProtoLedgerFilter(request.filter),
    limit: fromProtoLedgerLimit(request.limit),
    beforeRequestId: fromProtoText(beforeRequestId),
  };
}

const KINDS = ['charge', 'credit', 'adjustment'] as const;
const STATUSES = ['succeeded', 'failed'] as const;

function fromProtoLedgerFilter(filter: billingV1.LedgerFilter__Output | null): LedgerFilter {
  const { kind = '', keyId = '', model = '', status = '', errorCode = '' } = filter ?? {};
  const { channelId = '', clientRequestId = '' } = filter ?? {};
  return {
    kind: fromProtoChoice(kind, KINDS, 'kind'),
    keyId: fromProtoText(keyId),
    model: fromProtoText(model),
    status: fromProtoChoice(status, STATUSES, 'status'),
    errorCode: fromProtoText(errorCode),
    channelId: fromProtoText(channelId),
    clientRequestId: fromProtoText(clientRequestId),
    startAtMs: fromProtoOptionalTime(filter?.start ?? '', 'start'),
    endAtMs: fromProtoOptionalTime(filter?.end ?? '', 'end'),
  };
}

function fromProtoChoice<Choice extends string>(
  text: string,
  choices: readonly Choice[],
  param: string,
): Choice | undefined {
  if (text === '') return undefined;
  const found = choices.find((choice) => choice === text);
  if (found === undefined) throw invalid(param, `${param} must be one of ${choices.join(', ')}.`);
  return found;
}
