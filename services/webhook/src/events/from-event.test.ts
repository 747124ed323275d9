import { createWaitingEvent } from '@tollgate/events';
import { fromEvent } from './from-event';

const NOTICE = { account_id: 'acc_1', notice_seq: 1, available: '0' };

test.each([
  ['that billing told', { ...NOTICE, currency: 'EUR' }, 'EUR'],
  ['of the deployment, when an earlier billing told none', NOTICE, 'USD'],
])('a notice has the currency %s', (_which, data, currency) => {
  const event = createWaitingEvent('balance.exhausted', data, { id: 'evt_1', atMs: 0 });
  expect(fromEvent(event, 'USD')?.data).toMatchObject({ account_id: 'acc_1', currency });
});
