import { type ManagementCase, NOW, row } from './management-case';

const refusal = {
  requestId: 'x7',
  accountId: 'acc_1',
  keyId: 'key_1',
  gatewayId: 'gtw_1',
  at: NOW,
  errorCode: 'RATE_LIMIT_EXCEEDED',
  message: 'The limit is reached.',
};
const usage = { requests: '3', totalTokens: '21', spend: '123000' };

/** A case for every row whose operation stats does. */
export const STATS_CASES: readonly ManagementCase[] = [
  row('GET /v1/admin/requests/{request_id}/refusal', 'stats.getRefusal', {
    answer: { refusal },
    asked: { requestId: 'x7', accountId: '' },
  }),
  row('GET /v1/refusals', 'stats.listRefusals', {
    answer: { refusals: [refusal], nextBeforeRequestId: 'x7' },
    url: '/v1/refusals?limit=1&cursor=cmVxdWVzdDp4OA',
    asked: { accountId: 'acc_1', limit: 1, beforeRequestId: 'x8' },
  }),
  row('GET /v1/admin/refusals', 'stats.listRefusals', {
    answer: { refusals: [refusal] },
    url: '/v1/admin/refusals?account_id=acc_7',
    asked: { accountId: 'acc_7', limit: 50 },
  }),
  row('GET /v1/stats', 'stats.queryUsage', {
    answer: {
      results: [
        { bucket: NOW, group: [{ dimension: 'DIMENSION_MODEL', value: 'm' }], metrics: usage },
      ],
      totals: usage,
      asOf: NOW,
    },
    url: '/v1/stats?group_by=model&interval=hour&model=a,b&worst=3',
    asked: {
      interval: 'INTERVAL_HOUR',
      groupBy: ['DIMENSION_MODEL'],
      models: ['a', 'b'],
      worst: 3,
    },
  }),
  row('GET /v1/stats', 'stats.queryUsage', {
    answer: { results: [], totals: usage, asOf: NOW },
    url: '/v1/stats?account_id=acc_7,acc_8,acc_7&group_by=account',
    asked: { accountId: '', accountIds: ['acc_7', 'acc_8'], groupBy: ['DIMENSION_ACCOUNT'] },
  }),
];
