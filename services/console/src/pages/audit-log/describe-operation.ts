/** Sentences for operations whose path and method do not say it well. */
const SENTENCES: Readonly<Record<string, string>> = {
  'POST /v1/account/redeem': 'Redeemed a code',
  'POST /v1/account/members': 'Added a member',
  'DELETE /v1/account/members/{id}': 'Removed a member',
  'POST /v1/users': 'Registered',
  'POST /v1/users/password': 'Changed a password',
  'POST /v1/users/reset-password': 'Set a password by a code',
  'DELETE /v1/keys/{id}': 'Revoked an API key',
  'POST /v1/keys/{id}/rotate': 'Rotated an API key',
  'POST /v1/webhooks/{id}/rotate-secret': "Rotated a webhook's secret",
  'POST /v1/webhooks/{id}/test': 'Sent a test to a webhook',
  'POST /v1/webhooks/deliveries/{id}/redeliver': 'Redelivered an event',
  'PUT /v1/billing/thresholds': 'Set thresholds of the balance',
  'DELETE /v1/billing/thresholds': 'Took thresholds of the balance away',
  'POST /v1/admin/channels/discover': 'Asked a vendor for its models',
  'POST /v1/admin/channels/{id}/health': 'Checked a channel',
  'POST /v1/admin/models/import': 'Imported prices',
  'POST /v1/admin/accounts/{id}/credits': 'Granted credit',
  'POST /v1/admin/accounts/{id}/adjustments': 'Adjusted a balance',
  'POST /v1/admin/accounts/{id}/export': 'Exported an account',
  'DELETE /v1/admin/accounts/{id}': 'Erased an account',
  'PUT /v1/admin/accounts/{id}/plan': "Set an account's plan",
  'POST /v1/admin/users/{id}/reset-password': 'Made a reset code',
  'POST /v1/admin/keys/{id}/disable': 'Disabled an API key',
  'POST /v1/admin/keys/{id}/enable': 'Enabled an API key',
  'POST /v1/admin/users/{id}/disable': 'Disabled a user',
  'POST /v1/admin/users/{id}/enable': 'Enabled a user',
  'POST /v1/admin/users/{id}/end-sessions': "Ended a user's sessions",
  'POST /v1/topups/{provider}': 'Topped up a balance',
  'DELETE /v1/admin/codes/{id}': 'Revoked codes',
  'channel.disabled': 'A channel was disabled automatically',
  'email.released': 'A sign-in with a provider took an address over',
  'channel.recovered': 'A channel enabled itself again',
};

const VERBS: Readonly<Record<string, string>> = {
  POST: 'Created',
  PUT: 'Replaced',
  PATCH: 'Changed',
  DELETE: 'Deleted',
};

/** A resource as people call it, by the last word of its path. */
const NOUNS: Readonly<Record<string, string>> = {
  keys: 'an API key',
  accounts: 'an account',
  members: 'a member',
  users: 'a user',
  codes: 'codes',
  channels: 'a channel',
  models: 'a model',
  plans: 'a plan',
  webhooks: 'a webhook',
};

/**
 * `PATCH /v1/admin/channels/{id}` as "Changed a channel", or as "Changed channel “first”" where it
 * has a name; one that is not known as it is.
 */
export function describeOperation(operation: string, name?: string): string {
  const [method = '', path = ''] = operation.split(' ');
  const noun = NOUNS[path.replace(/\/\{\w+\}$/, '').replace(/^.*\//, '')];
  const verb = VERBS[method];
  const sentence = SENTENCES[operation];
  const quoted = name === undefined ? '' : `“${name}”`;
  if (sentence !== undefined) return quoted === '' ? sentence : `${sentence}: ${quoted}`;
  if (noun === undefined || verb === undefined) return operation;
  return quoted === '' ? `${verb} ${noun}` : `${verb} ${noun.replace(/^an? /, '')} ${quoted}`;
}
