import { Metadata, status } from '@grpc/grpc-js';
import { createFakeClock, settlePromises } from '@tollgate/testkit';
import { type DefinedService, definitionOf, methodsOf } from './definition';
import { fromStatus, UnansweredError } from './error-mapping';
import { firstAnswer, isExpensive, isRepeatable } from './repeatable-calls';
import { NO_OTHER_REPLICA } from './replicas';

const SERVICES: readonly DefinedService[] = ['billing', 'identity', 'routing', 'stats', 'webhook'];

/** What changes something for each time that it is asked, streams, and reads that are expensive. */
const ONCE: ReadonlySet<string> = new Set([
  'addCredits',
  'adjustBalance',
  'beginAnswer',
  'createCodes',
  'dropAnswer',
  'putPlan',
  'redeemCode',
  'retireLeases',
  'revokeCodes',
  'setThresholds',
  'topUp',
  'createApiKey',
  'deleteApiKey',
  'reportKeyUses',
  'rotateApiKey',
  'updateApiKey',
  'setApiKeyStatus',
  'changePassword',
  'endUserSessions',
  'login',
  'logout',
  'refreshSession',
  'resetPassword',
  'completeOAuth',
  'exchangeOAuthCode',
  'startOAuth',
  'startPasswordReset',
  'addMember',
  'createAccount',
  'createUser',
  'eraseAccount',
  'removeMember',
  'setUserStatus',
  'updateAccount',
  'updateMember',
  'beginAuditEntry',
  'endAuditEntry',
  'watchRevocations',
  'checkChannelHealth',
  'createChannel',
  'deleteChannel',
  'deleteModel',
  'discoverModels',
  'putModel',
  'reportOutcomes',
  'updateChannel',
  'watchRouteTable',
  'audit',
  'queryUsage',
  'searchCharges',
  'searchLedger',
  'createEndpoint',
  'deleteEndpoint',
  'redeliver',
  'rotateSecret',
  'sendTest',
  'updateEndpoint',
]);

test.each(SERVICES)('of each call of %s somebody decided whether it may be repeated', (service) => {
  const names = [...methodsOf(definitionOf(service)).keys()];
  expect(names.filter((name) => isRepeatable(name) === ONCE.has(name))).toEqual([]);
});

test('what is expensive is never repeated', () => {
  expect([...ONCE].filter(isExpensive)).toEqual([
    'audit',
    'queryUsage',
    'searchCharges',
    'searchLedger',
  ]);
});

/** Nobody hears what became of the sendings. */
const UNHEARD = { mark: () => undefined, noteSilence: () => undefined, end: () => undefined };

test('where there is one replica, a call that it answers too late is told as that', async () => {
  const clock = createFakeClock();
  const silence = (internalMessage: string) =>
    new UnansweredError('SERVICE_UNAVAILABLE', { internalMessage });
  const first = Promise.withResolvers<unknown>();
  let sent = 0;
  const answer = firstAnswer({
    clock,
    deadlineMs: 5_000,
    repeats: { open: 0 },
    sendings: UNHEARD,
    send() {
      sent += 1;
      return sent === 1 ? first.promise : Promise.reject(silence(NO_OTHER_REPLICA));
    },
  });
  await clock.advance(3_000);
  await settlePromises();
  expect(sent).toBe(2);
  first.reject(silence('deadline exceeded'));
  await expect(answer).rejects.toThrow('deadline exceeded');
});

test('a call whose answer is too large for a message is sent once', async () => {
  const clock = createFakeClock();
  const details = 'Received message larger than max';
  const tooLarge = fromStatus({
    code: status.RESOURCE_EXHAUSTED,
    details,
    metadata: new Metadata(),
  });
  let sent = 0;
  const answer = firstAnswer({
    clock,
    deadlineMs: 5_000,
    repeats: { open: 0 },
    sendings: UNHEARD,
    send() {
      sent += 1;
      return Promise.reject(tooLarge);
    },
  });
  await expect(answer).rejects.toBe(tooLarge);
  expect(sent).toBe(1);
});
