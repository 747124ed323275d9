import { type billingV1, completionV1 } from '@tollgate/protos';
import { answer, PLANS, signTopUp, TOP_UP_PROVIDER } from '../fixtures';
import { type ManagementCase, NOW, row } from './management-case';

const thresholds: billingV1.ThresholdState = {
  thresholds: { amounts: ['10000000000'], days: [7] },
  suspendBelow: '500000000',
  source: 'account',
  dailySpend: '1000000000',
  suspended: false,
};
const charge: billingV1.LedgerEntry = {
  accountId: 'acc_1',
  seq: '7',
  kind: 'charge',
  amount: '-123000',
  at: NOW,
  settledReason: 'settled',
  record: {
    accountId: 'acc_1',
    requestId: 'req_7',
    keyId: 'key_7',
    model: 'small-chat',
    requestedModel: 'auto',
    drawn: '500000',
    amount: '123000',
    promptTokens: 5,
    completionTokens: 2,
    source: 'exact',
    reason: 'stop',
    status: 'succeeded',
    startedAt: NOW,
    endedAt: NOW,
  },
};
const credit: billingV1.LedgerEntry = {
  accountId: 'acc_7',
  seq: '1',
  kind: 'credit',
  amount: '10000000000',
  at: NOW,
  creditId: 'c1',
  note: 'welcome',
};
const adjustment: billingV1.LedgerEntry = {
  accountId: 'acc_7',
  seq: '2',
  kind: 'adjustment',
  at: NOW,
  amount: '-1500000000',
  creditId: 'a1',
  note: 'credited twice',
};
const statement = {
  month: '2026-01',
  currency: 'USD',
  requests: 2,
  opening: '0',
  credits: '10000000000',
  adjustments: '0',
  charges: '123000',
  closing: '9999877000',
  lines: [{ model: 'small-chat', keyId: 'key_7', requests: 2, amount: '123000' }],
};
const code: billingV1.Code = {
  id: 'cod_7',
  batchId: 'cbt_7',
  preview: '7777',
  amount: '5000000000',
  note: 'fair',
  status: 'CODE_STATUS_REDEEMED',
  accountId: 'acc_1',
  endedAt: NOW,
  createdAt: NOW,
};
const payment = {
  type: 'topup.succeeded',
  data: { account_id: 'acc_7', amount: '25.00', currency: 'USD', reference: 'Invoice 7' },
};

/** A case for every row whose operation billing does. */
export const BILLING_CASES: readonly ManagementCase[] = [
  row('POST /v1/topups/{provider}', 'billing.topUp', {
    answer: { entry: credit },
    url: `/v1/topups/${TOP_UP_PROVIDER}`,
    body: payment,
    headers: signTopUp(payment),
    asked: {
      provider: TOP_UP_PROVIDER,
      eventId: 'evt_7',
      accountId: 'acc_7',
      amount: '25000000000',
    },
  }),
  row('POST /v1/account/redeem', 'billing.redeemCode', {
    answer: { entry: credit },
    body: { code: 'TG-typed' },
    asked: { accountId: 'acc_1' },
  }),
  row('GET /v1/admin/plans', 'billing.listPlans', { answer: { plans: PLANS } }),
  row('POST /v1/admin/plans', 'billing.putPlan', {
    answer: { plan: PLANS[0] },
    body: {
      id: 'team',
      name: 'Team',
      requests_per_minute: 500,
      requests_per_day: null,
      concurrent_requests: null,
      price: '50.00',
    },
    asked: { plan: { id: 'team', price: '50000000000', requestsPerMinute: 500, version: 0 } },
  }),
  row('GET /v1/admin/plans/{id}', 'billing.getPlan', {
    answer: { plan: PLANS[0], versions: [PLANS[1]] },
    asked: { id: 'x7' },
  }),
  row('PATCH /v1/admin/plans/{id}', 'billing.putPlan', {
    answer: { plan: PLANS[0] },
    body: { requests_per_minute: null, models: ['small-chat'] },
    asked: { plan: { id: 'free', requestsPerDay: 1000, models: ['small-chat'] } },
  }),
  row('PUT /v1/admin/plans/{id}', 'billing.putPlan', {
    answer: { plan: PLANS[0] },
    body: { name: 'Free', requests_per_minute: 6, requests_per_day: null, concurrent_requests: 1 },
    asked: { plan: { id: 'free', requestsPerMinute: 6, keepAnswers: true, price: '0' } },
  }),
  row('POST /v1/admin/accounts/{id}/export', 'billing.listLedger', {
    answer: { entries: [charge], lastSeq: '1' },
    body: { format: 'csv' },
    asked: { accountId: 'x7', afterSeq: '0' },
  }),
  row('GET /v1/admin/codes', 'billing.listCodes', { answer: { codes: [code] } }),
  row('POST /v1/admin/codes', 'billing.createCodes', {
    answer: { batchId: 'cbt_7', codes: [code], texts: ['shown once'] },
    body: { amount: '5.00', count: 2 },
    asked: { amount: '5000000000', count: 2 },
  }),
  row('GET /v1/admin/codes/{id}', 'billing.getCode', { answer: { code }, asked: { id: 'x7' } }),
  row('DELETE /v1/admin/codes/{id}', 'billing.revokeCodes', { asked: { id: 'x7' } }),
  row('GET /v1/billing/balance', 'billing.getBalance', {
    answer: { currency: 'USD', balance: '5' },
  }),
  row('GET /v1/billing/plans', 'billing.listPlans', { answer: { plans: PLANS } }),
  row('GET /v1/billing/ledger', 'billing.searchLedger', {
    answer: { entries: [charge], nextBeforeSeq: '7' },
    url: '/v1/billing/ledger?kind=charge&key_id=key_7&start=2026-02-03T00:00:00Z',
    asked: {
      accountId: 'acc_1',
      filter: { kind: 'charge', keyId: 'key_7', start: '2026-02-03T00:00:00Z' },
    },
  }),
  row('GET /v1/requests', 'billing.searchCharges', {
    answer: { entries: [charge], nextBeforeRequestId: 'req_7' },
    url: '/v1/requests?status=failed&error_code=UPSTREAM_ERROR&model=small-chat',
    asked: {
      accountId: 'acc_1',
      filter: { status: 'failed', errorCode: 'UPSTREAM_ERROR', model: 'small-chat' },
    },
  }),
  row('GET /v1/requests/{request_id}', 'billing.getReceipt', {
    answer: { entry: charge },
    asked: { accountId: 'acc_1', requestId: 'x7' },
  }),
  row('GET /v1/billing/thresholds', 'billing.getThresholds', {
    answer: { state: thresholds },
    asked: { accountId: 'acc_1' },
  }),
  row('PUT /v1/billing/thresholds', 'billing.setThresholds', {
    answer: { state: thresholds },
    body: { amounts: ['10.00'], days: [7], suspend_below: '0.50' },
    asked: {
      accountId: 'acc_1',
      thresholds: { amounts: ['10000000000'], days: [7] },
      suspendBelow: '500000000',
    },
  }),
  row('DELETE /v1/billing/thresholds', 'billing.setThresholds', {
    answer: { state: thresholds },
    asked: { accountId: 'acc_1' },
  }),
  row('GET /v1/billing/statements', 'billing.listStatements', {
    answer: { statements: [statement] },
    asked: { accountId: 'acc_1' },
  }),
  row('GET /v1/billing/statements/{month}', 'billing.getStatement', {
    answer: { statement },
    url: '/v1/billing/statements/2026-01',
    asked: { accountId: 'acc_1', month: '2026-01' },
  }),
  row('GET /v1/requests/{request_id}/answer', 'billing.getAnswer', {
    answer: {
      writing: Buffer.from('{"format":"openai","includeUsage":false}'),
      answer: Buffer.from(
        completionV1.KeptAnswer.encode({
          answer: { $case: 'whole', value: answer('hello') },
        }).finish(),
      ),
    },
    asked: { accountId: 'acc_1', keyId: 'key_1', requestId: 'x7' },
  }),
  row('GET /v1/admin/requests', 'billing.searchCharges', {
    answer: { entries: [charge] },
    url: '/v1/admin/requests?channel_id=chn_7&client_request_id=trace-1',
    asked: { accountId: '', filter: { channelId: 'chn_7', clientRequestId: 'trace-1' } },
  }),
  row('GET /v1/admin/requests/{request_id}', 'billing.getReceipt', {
    answer: { entry: charge },
    asked: { accountId: '', requestId: 'x7' },
  }),
  row('GET /v1/billing/receipts/{request_id}', 'billing.getReceipt', {
    answer: { entry: charge },
    url: '/v1/billing/receipts/msg_req_7',
    asked: { accountId: 'acc_1', requestId: 'req_7' },
  }),
  row('GET /v1/admin/accounts/{id}/balance', 'billing.getBalance', {
    answer: { currency: 'USD', balance: '5' },
    asked: { accountId: 'x7' },
  }),
  row('GET /v1/admin/accounts/{id}/ledger', 'billing.searchLedger', {
    answer: { entries: [charge, credit, adjustment] },
    url: '/v1/admin/accounts/x7/ledger?limit=3',
    asked: { accountId: 'x7', limit: 3 },
  }),
  row('POST /v1/admin/accounts/{id}/credits', 'billing.addCredits', {
    answer: { entry: credit },
    body: { amount: '10.00', note: 'welcome' },
    headers: { 'idempotency-key': 'first' },
    asked: { accountId: 'x7', amount: '10000000000', idempotencyKey: 'first' },
  }),
  row('POST /v1/admin/accounts/{id}/adjustments', 'billing.adjustBalance', {
    answer: { entry: adjustment },
    body: { amount: '-1.50', reason: 'credited twice' },
    headers: { 'idempotency-key': 'first' },
    asked: {
      accountId: 'x7',
      amount: '-1500000000',
      reason: 'credited twice',
      idempotencyKey: 'first',
    },
  }),
  row('GET /v1/admin/alerts', 'billing.audit', { answer: { ok: true, checkedAt: NOW } }),
  row('GET /v1/admin/audit', 'billing.audit', { answer: { ok: true, checkedAt: NOW } }),
  row('GET /v1/admin/audit', 'billing.audit', {
    answer: { ok: true, checkedAt: NOW, partial: true, nextCursor: 'acc_2' },
    url: `/v1/admin/audit?fresh=true&cursor=${Buffer.from('after:acc_1').toString('base64url')}`,
    asked: { fresh: true, cursor: 'acc_1' },
  }),
];
