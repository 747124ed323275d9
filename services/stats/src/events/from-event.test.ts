import { toIsoTime } from '@tollgate/core';
import { fromUsageRecordEvent, type LedgerEntryPosted } from '@tollgate/events';
import { chargedRequestOf } from '../domain/ledger-entry';
import { START_MS } from '../testing/fixtures';
import { fromLedgerEvent } from './from-event';

const at = toIsoTime(START_MS);

type RecordEvent = NonNullable<LedgerEntryPosted['charge']>['record'];

/** Every count differs, so that none can stand in the place of another. */
const whole: RecordEvent = {
  account_id: 'acc_1',
  lease: 1,
  number: 1,
  kind: 'usage',
  holder: 'spl_1',
  epoch: 1,
  request_id: 'req_1',
  client_request_id: 'mine',
  key_id: 'key_1',
  user_id: 'usr_1',
  model: 'small',
  requested_model: 'auto',
  channel_id: 'chn_1',
  own_channel: false,
  price_version: 3,
  prices: { prompt: '150000000', completion: '600000000', cached_prompt: '75000000' },
  prompt_tokens: 100,
  completion_tokens: 20,
  cached_tokens: 30,
  cache_write_tokens: 40,
  reasoning_tokens: 5,
  prompt_audio_tokens: 6,
  completion_audio_tokens: 7,
  drawn: '90000',
  amount: '27000',
  source: 'exact',
  reason: 'client_gone',
  status: 'failed',
  error_code: 'UPSTREAM_TIMEOUT',
  stream: true,
  attempts: 2,
  failed_attempts: null,
  limits_left: null,
  ignored_members: null,
  latency_ms: 420,
  first_token_ms: 80,
  started_at: at,
  ended_at: at,
  vendor_absorbed: '0',
  budget: null,
};

const bare: RecordEvent = {
  ...whole,
  user_id: null,
  channel_id: null,
  cache_write_tokens: null,
  reasoning_tokens: null,
  prompt_audio_tokens: null,
  completion_audio_tokens: null,
  reason: 'stop',
  status: 'succeeded',
  error_code: null,
  attempts: 1,
  first_token_ms: null,
};

/** What the client asked for was wrong, as the vendor said. */
const invalid: RecordEvent = {
  ...whole,
  reason: 'vendor_error',
  error_code: 'CONTEXT_LENGTH_EXCEEDED',
};

const close: RecordEvent = {
  account_id: 'acc_1',
  lease: 1,
  number: 2,
  kind: 'close',
  holder: 'spl_1',
  epoch: 1,
  ended_at: at,
};

it.each([
  ['that has every member', whole],
  ['without what may be absent', bare],
  ['that a vendor found wrong', invalid],
  ['that ends a lease', close],
])('a record %s counts the same from its event and from the ledger', (_which, record) => {
  const sums = {
    charged: '27000',
    absorbed: '0',
    overrun: '0',
    settled_reason: 'settled' as const,
  };
  const { request } = fromLedgerEvent({
    account_id: 'acc_1',
    seq: 1,
    kind: 'charge',
    amount: '27000',
    at,
    charge: { record, ...sums },
    credit: null,
  });
  expect({ request }).toEqual({
    request: undefined,
    ...chargedRequestOf(fromUsageRecordEvent(record), 27_000n),
  });
});

it.each([
  ['VALIDATION_ERROR', true],
  ['CONTEXT_LENGTH_EXCEEDED', true],
  ['CONTENT_POLICY', true],
  ['UPSTREAM_ERROR', false],
  [null, false],
])('a request that failed with %s is the doing of its client: %s', (error_code, isInvalid) => {
  const record = fromUsageRecordEvent({ ...invalid, error_code });
  expect(chargedRequestOf(record, 0n).request?.invalid).toBe(isInvalid);
});
