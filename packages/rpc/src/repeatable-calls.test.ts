import { type ControlPlaneName, controlPlane, methodsOf } from './definition';
import { isDear, isRepeatable } from './repeatable-calls';

const SERVICES: readonly ControlPlaneName[] = [
  'billing',
  'identity',
  'routing',
  'stats',
  'webhook',
];

/** What changes something for each time that it is asked, streams, and reads that are dear. */
const ONCE: ReadonlySet<string> = new Set([
  ...['addCredits', 'adjustBalance', 'beginAnswer', 'createCodes', 'dropAnswer', 'putPlan'],
  ...['redeemCode', 'retireLeases', 'revokeCodes', 'setThresholds', 'topUp'],
  ...['createApiKey', 'deleteApiKey', 'reportKeyUses', 'rotateApiKey', 'updateApiKey'],
  ...['changePassword', 'endUserSessions', 'login', 'logout', 'refreshSession', 'resetPassword'],
  ...['completeOAuth', 'exchangeOAuthCode', 'startOAuth', 'startPasswordReset'],
  ...['addMember', 'createAccount', 'createUser', 'eraseAccount', 'removeMember', 'setUserStatus'],
  ...['updateAccount', 'updateMember', 'beginAuditEntry', 'endAuditEntry', 'watchRevocations'],
  ...['checkChannelHealth', 'createChannel', 'deleteChannel', 'deleteModel', 'discoverModels'],
  ...['putModel', 'reportOutcomes', 'updateChannel', 'watchRouteTable'],
  ...['audit', 'queryUsage', 'searchCharges', 'searchLedger'],
  ...[
    'createEndpoint',
    'deleteEndpoint',
    'redeliver',
    'rotateSecret',
    'sendTest',
    'updateEndpoint',
  ],
]);

test.each(SERVICES)('of each call of %s somebody decided whether it may be repeated', (service) => {
  const names = [...methodsOf(controlPlane(service)).keys()];
  expect(names.filter((name) => isRepeatable(name) === ONCE.has(name))).toEqual([]);
});

test('what is dear is never repeated', () => {
  expect([...ONCE].filter(isDear)).toEqual(['audit', 'searchCharges', 'searchLedger']);
});
