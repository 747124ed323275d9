import { DAY_MS } from '@tollgate/core';

/** A topic's writer, and what its message key is. */
export interface TopicDefinition {
  readonly description: string;
  /** One sentence on the message key; messages of one key stay in order. */
  readonly keyRule: string;
  /** How long a broker keeps the messages, milliseconds. */
  readonly retentionMs: number;
}

const ACCOUNT_KEY = 'The account id.';

/** Every topic. The `v1` in a name changes only when consumers must be moved by hand. */
export const TOPICS = {
  'tollgate.usage.v1': {
    description: 'Usage records from completion to billing.',
    keyRule: ACCOUNT_KEY,
    retentionMs: 7 * DAY_MS,
  },
  'tollgate.ledger.v1': {
    description: 'Ledger entries from billing, gapless per account, for stats.',
    keyRule: ACCOUNT_KEY,
    retentionMs: 7 * DAY_MS,
  },
  'tollgate.denials.v1': {
    description:
      'Denials and unserved requests, counted by each gateway, and some of the refused requests.',
    keyRule: 'The account id; of refusals.unauthorized and refusals.unrouted the gateway id.',
    retentionMs: 3 * DAY_MS,
  },
  'tollgate.billing.v1': {
    description: 'Notices of billing about balances, credits and budgets.',
    keyRule: ACCOUNT_KEY,
    retentionMs: 7 * DAY_MS,
  },
  'tollgate.identity.v1': {
    description: 'Events of accounts, API keys and plans, from identity.',
    keyRule: ACCOUNT_KEY,
    retentionMs: 7 * DAY_MS,
  },
  'tollgate.routing.v1': {
    description: 'Events of channels, from routing.',
    keyRule: 'The account id of the owner, or "operator" for a shared channel.',
    retentionMs: 7 * DAY_MS,
  },
  'tollgate.dead-letter.v1': {
    description: 'What consumers could not use: hash and size; of a usage record, the record.',
    keyRule: 'The key of the message that was not used, or "operator" when it had none.',
    retentionMs: 30 * DAY_MS,
  },
} as const satisfies Readonly<Record<string, TopicDefinition>>;

/** The name of a topic of the table. */
export type TopicName = keyof typeof TOPICS;

/** The message key of events that belong to no account. */
export const OPERATOR_KEY = 'operator';

/** Every topic name, in the order of the table. */
export const TOPIC_NAMES: readonly TopicName[] = Object.freeze(Object.keys(TOPICS) as TopicName[]);
