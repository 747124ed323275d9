import type { Clock } from '@tollgate/core';
import { createEvent, toOutgoing } from '../create-event';
import type { EventBusObserver, OutgoingEvent } from '../event-bus';
import type { EventData, EventType } from '../event-catalogue';
import type { LedgerEntryPosted } from '../schemas/ledger';
import type { UsageRecordEvent } from '../schemas/usage';

const AT = '2026-01-01T00:00:00.000Z';
export const ACCOUNT = 'acc_01JGFJJZ000000000000000000';

const usageRecord: Extract<UsageRecordEvent, { kind: 'usage' }> = {
  account_id: ACCOUNT,
  lease: 1,
  number: 1,
  kind: 'usage',
  holder: 'spl_01JGFJJZ000000000000000000',
  epoch: 1,
  request_id: 'req_01JGFJJZ000000000000000000',
  client_request_id: null,
  key_id: 'key_01JGFJJZ000000000000000000',
  user_id: null,
  model: 'small',
  requested_model: 'small',
  channel_id: 'chn_01JGFJJZ000000000000000000',
  own_channel: false,
  price_version: 3,
  prices: { prompt: '150000000', completion: '600000000', cached_prompt: '75000000' },
  prompt_tokens: 100,
  completion_tokens: 20,
  cached_tokens: 0,
  cache_write_tokens: null,
  reasoning_tokens: null,
  prompt_audio_tokens: null,
  completion_audio_tokens: null,
  drawn: '90000',
  amount: '27000',
  source: 'exact',
  reason: 'stop',
  status: 'succeeded',
  error_code: null,
  stream: true,
  attempts: 1,
  failed_attempts: null,
  limits_left: null,
  ignored_members: 'max_token',
  latency_ms: 420,
  first_token_ms: 80,
  started_at: AT,
  ended_at: AT,
  vendor_absorbed: '0',
  budget: { limit: '5000000000', period: 'month' },
};

export const closeRecord: UsageRecordEvent = {
  account_id: ACCOUNT,
  lease: 1,
  number: 2,
  kind: 'close',
  holder: 'spl_01JGFJJZ000000000000000000',
  epoch: 1,
  ended_at: AT,
};

const key = { account_id: ACCOUNT, key_id: 'key_1', name: 'first key', actor_user_id: null };
const channel = {
  channel_id: 'chn_1',
  name: 'main',
  owner_account_id: null,
  reason: 'vendor_error',
};

const chargePosted: LedgerEntryPosted = {
  account_id: ACCOUNT,
  seq: 1,
  kind: 'charge',
  amount: '27000',
  at: AT,
  charge: {
    record: usageRecord,
    charged: '27000',
    absorbed: '0',
    overrun: '0',
    settled_reason: 'settled',
  },
  credit: null,
};

const creditPosted: LedgerEntryPosted = {
  account_id: ACCOUNT,
  seq: 2,
  kind: 'credit',
  amount: '5',
  at: AT,
  charge: null,
  credit: { credit_id: 'crd_1', note: null },
};

/** One valid example of every event. */
export const samples: { readonly [Type in EventType]: EventData<Type> } = {
  'usage.recorded': usageRecord,
  'usage.batch_recorded': { records: [usageRecord, closeRecord] },
  'ledger.entry_posted': chargePosted,
  'ledger.batch_posted': { entries: [chargePosted, creditPosted] },
  'ledger.adjustment_posted': {
    account_id: ACCOUNT,
    seq: 2,
    amount: '-1500000000',
    at: AT,
    adjustment_id: `${ACCOUNT}:adjustment:one`,
    reason: 'credited twice',
  },
  'refusals.sampled': {
    account_id: ACCOUNT,
    gateway_id: 'gtw_1',
    requests: [
      {
        request_id: 'req_1',
        key_id: 'key_1',
        error_code: 'RATE_LIMIT_EXCEEDED',
        at: AT,
        message: 'The limit of 1 request per minute is reached.',
        param: null,
        requested_model: 'small',
        address: '203.0.113.9',
        rejected: [{ channel_id: 'chn_1', model: 'small', reason: 'failing' }],
      },
    ],
  },
  'refusals.unauthorized': {
    gateway_id: 'gtw_1',
    requests: [
      {
        request_id: 'req_2',
        fault: 'unknown',
        presented: 'sk-…',
        at: AT,
        account_id: null,
        key_id: null,
        address: '203.0.113.9',
        message: 'The API key is in quotation marks: send it without them.',
        path: '/v1/models',
      },
    ],
  },
  'refusals.unrouted': {
    gateway_id: 'gtw_1',
    requests: [
      {
        request_id: 'req_3',
        path: '/v1/v1/chat/completions',
        message: 'This path does not exist.',
        error_code: 'NOT_FOUND',
        presented: 'tg_live_a…',
        address: '203.0.113.9',
        at: AT,
      },
    ],
  },
  'denials.counted': {
    account_id: ACCOUNT,
    key_id: 'key_1',
    reason: 'rpm',
    count: 12,
    window_start: AT,
    window_seconds: 10,
    gateway_id: 'gtw_1',
  },
  'unserved.counted': {
    account_id: ACCOUNT,
    key_id: null,
    count: 3,
    window_start: AT,
    window_seconds: 10,
    gateway_id: 'gtw_1',
  },
  'balance.low': {
    account_id: ACCOUNT,
    notice_seq: 1,
    currency: 'USD',
    available: '10',
    threshold: '100',
  },
  'balance.exhausted': { account_id: ACCOUNT, notice_seq: 2, currency: 'USD', available: '0' },
  'spending.suspended': {
    account_id: ACCOUNT,
    notice_seq: 3,
    currency: 'USD',
    available: '9',
    threshold: '10',
  },
  'spending.resumed': {
    account_id: ACCOUNT,
    notice_seq: 4,
    currency: 'USD',
    available: '19',
    threshold: '10',
  },
  'credits.added': {
    account_id: ACCOUNT,
    notice_seq: 3,
    currency: 'USD',
    credit_id: 'first-start',
    amount: '10000000000',
    available: '10000000000',
  },
  'key.budget_exceeded': {
    account_id: ACCOUNT,
    notice_seq: 4,
    currency: 'USD',
    key_id: 'key_1',
    limit: '1',
    period: null,
  },
  'key.created': key,
  'key.rotated': key,
  'key.revoked': key,
  'key.expiring': key,
  'account.created': { account_id: ACCOUNT, plan: 'starter' },
  'account.erased': { account_id: ACCOUNT },
  'plan.changed': { account_id: ACCOUNT, plan: 'business', previous_plan: 'starter' },
  'channel.disabled': channel,
  'channel.recovered': channel,
  'dead_letter.recorded': {
    source_topic: 'tollgate.usage.v1',
    group: 'billing',
    reason: 'data.amount: custom',
    event_id: 'evt_1',
    key: ACCOUNT,
    payload_sha256: 'a'.repeat(64),
    payload_bytes: 17,
    record: null,
  },
};

/** A usage record of the account with the given number, ready to publish. */
export function usageOf(clock: Clock, accountId: string, number: number): OutgoingEvent {
  const record = { ...usageRecord, account_id: accountId, number };
  return toOutgoing(accountId, createEvent('usage.recorded', record, clock));
}

/** The record number of a received or outgoing usage event; -1 for any other event. */
export function numberOf({ event }: Pick<OutgoingEvent, 'event'>): number {
  return event.type === 'usage.recorded' ? event.data.number : -1;
}

/** An observer that counts calls by report. */
export function createCountingObserver(): {
  observer: EventBusObserver;
  count(report: string): number;
} {
  const counts = new Map<string, number>();
  const counting = (report: string) => () => {
    counts.set(report, (counts.get(report) ?? 0) + 1);
  };
  return {
    observer: {
      published: counting('published'),
      publishFailed: counting('publishFailed'),
      handled: counting('handled'),
      handlerFailed: counting('handlerFailed'),
      deadLettered: counting('deadLettered'),
      skipped: counting('skipped'),
      behind: counting('behind'),
    },
    count: (report) => counts.get(report) ?? 0,
  };
}
