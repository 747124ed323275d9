import { z } from 'zod';
import { isoTime, named } from '../payloads/values';

const SUBJECT_TYPES = [
  'service',
  'channel',
  'model',
  'money',
  'requests',
  'account',
  'webhook',
] as const;
export const SEVERITIES = ['critical', 'warning'] as const;
/** Of those that an alert is about, in its text. */
export const NAMED_MAX = 3;

interface Rule {
  readonly severity: (typeof SEVERITIES)[number];
  readonly meaning: string;
  readonly action: string;
  /** The name of a page of docs/runbooks. */
  readonly runbook: string | null;
}

/** Everything that can want attention. Critical ones are listed first, then in the order of rows. */
const RULES = {
  service_silent: {
    severity: 'critical',
    meaning:
      'It is away, too busy, or has too much to add up; what it would report is missing from this list.',
    action: 'See whether it runs and is ready, and what its log says.',
    runbook: 'service-down',
  },
  no_completion: {
    severity: 'critical',
    meaning: 'Every completion is refused with 503.',
    action: 'Ask /readyz of the instances for the reason: mostly the disk or a full spool.',
    runbook: 'service-down',
  },
  completion_refuses: {
    severity: 'warning',
    meaning:
      'Other instances do its work: its spool is nearly full, its disk fails, or it is away.',
    action: 'Ask its /readyz for the reason.',
    runbook: 'spool-filling',
  },
  nothing_served: {
    severity: 'critical',
    meaning: 'Every request is refused with 503.',
    action:
      'Enable one with tollgate channel enable NAME; tollgate channel list says who disabled it. Or ' +
      'add one of a vendor, as the page of the vendors says.',
    runbook: null,
  },
  money_differs: {
    severity: 'critical',
    meaning: 'The books do not agree with themselves, which must never be.',
    action: 'Audit once more; what stays is an incident. Change nothing by hand.',
    runbook: 'drift-found',
  },
  audit_old: {
    severity: 'warning',
    meaning: 'Nobody knows whether the books still agree: audits are made every hour.',
    action: 'Audit now, and see in the log of billing why none was completed.',
    runbook: 'drift-found',
  },
  channel_disabled: {
    severity: 'critical',
    meaning: 'It is sent no requests; other channels of its models carry the load where there are.',
    action: 'Mend what the reason names. It comes back by itself when a probe succeeds.',
    runbook: 'vendor-failing',
  },
  owned_channels_disabled: {
    severity: 'warning',
    meaning: 'Their vendors refuse the credentials of the accounts that own them, or are away.',
    action: 'Tell the customers. Each comes back by itself when a probe succeeds.',
    runbook: null,
  },
  model_not_served: {
    severity: 'critical',
    meaning: 'Requests for it are refused with 503: each of its channels is disabled or cut off.',
    action: 'Mend a channel that serves it, or add another.',
    runbook: 'vendor-failing',
  },
  requests_failing: {
    severity: 'critical',
    meaning: 'Customers get errors in place of answers.',
    action: 'See what the vendor says in the story of a request that failed.',
    runbook: 'vendor-failing',
  },
  account_without_plan: {
    severity: 'critical',
    meaning: 'Every request of it is refused with 503: without the plan nobody knows its limits.',
    action: 'Put the account on a plan that there is, or make that plan.',
    runbook: null,
  },
  channel_failing: {
    severity: 'warning',
    meaning:
      'Calls fail there. Requests go on at the next channel where there is one. One that does not ' +
      'stream and timed out ends there: its vendor may have made the answer, and charge for it.',
    action: 'Check its health: the answer names what the vendor refuses.',
    runbook: 'vendor-failing',
  },
  channel_full: {
    severity: 'warning',
    meaning:
      'It answers as many requests at once as it may. Those beyond go to the next channel where ' +
      'there is one, and are refused with 503 where there is none.',
    action: 'Raise its max_concurrency as far as its vendor allows, or add a channel.',
    runbook: 'vendor-failing',
  },
  channel_slow: {
    severity: 'warning',
    meaning:
      'It answers, but takes more than twice as long as it did, or as another channel takes that ' +
      'serves the same models.',
    action:
      'Ask its vendor. Put it behind other channels by a higher number as its priority, or give it a ' +
      'smaller weight than they have.',
    runbook: 'slow-answers',
  },
  model_without_channel: {
    severity: 'warning',
    meaning: 'Customers see it in the catalogue, and requests for it are refused with 503.',
    action: 'Add a channel that serves it, or delete the model.',
    runbook: null,
  },
  price_not_set: {
    severity: 'warning',
    meaning: 'Requests that name it are charged by a price that nobody chose.',
    action: 'Set it as pricing of PATCH /v1/admin/models/{id}.',
    runbook: null,
  },
  // The released name: only requests beyond rate limits count, no other refusal.
  account_refused: {
    severity: 'warning',
    meaning:
      'The customer asks for more than a limit allows: of its own, of its plan or of an API key.',
    action:
      'Look which limit its refused requests name. One of an API key its owner raises; of the others ' +
      'it gets a larger plan or limits of its own, if it should have them.',
    runbook: 'many-refused',
  },
  webhook_disabled: {
    severity: 'warning',
    meaning: 'Its receiver failed for days or answered 410; what waits for it is held.',
    action: 'Tell the customer, who enables it again when the receiver is mended.',
    runbook: 'webhooks-failing',
  },
} as const satisfies Readonly<Record<string, Rule>>;

export type AlertRule = keyof typeof RULES;

export const ALERT_RULES = Object.keys(RULES) as [AlertRule, ...AlertRule[]];

/** Something that wants an operator's attention now. */
export const alertSchema = named('Alert', {
  id: z.string().describe('The same for as long as the cause lasts.'),
  rule: z.enum(ALERT_RULES),
  severity: z.enum(SEVERITIES),
  subject: z
    .object({
      type: z.enum(SUBJECT_TYPES),
      id: z.string(),
      ids: z.array(z.string()).optional().describe('Of several: ten at most.'),
    })
    .describe('What it is about; an empty id is all of that type, or those of `ids`.'),
  account_id: z.string().nullable().describe("Whose it is, where it is a customer's."),
  title: z.string(),
  detail: z.string().nullable().describe('What is said of the cause.'),
  since: isoTime
    .nullable()
    .describe(
      'When it began, as far as is known: of requests not before the time that is looked at, of money ' +
        'the newest audit, of a webhook its last delivery. Null when nobody noted it.',
    ),
  meaning: z.string(),
  action: z.string(),
  runbook: z.string().nullable().meta({
    example: '/docs/runbooks/vendor-failing',
    description: 'A page of this address.',
  }),
});

export type Alert = z.output<typeof alertSchema>;

/** What differs from one alert of a rule to the next. */
export type Found = Pick<Alert, 'rule' | 'subject' | 'title'> &
  Partial<Pick<Alert, 'account_id' | 'detail' | 'since'>>;

export function toAlert({ subject, account_id = null, ...found }: Found): Alert {
  const { rule } = found;
  const { runbook, ...told } = RULES[rule];
  return {
    id: subject.id === '' ? rule : `${rule}:${subject.id}`,
    detail: null,
    since: null,
    ...found,
    ...told,
    runbook: runbook === null ? null : `/docs/runbooks/${runbook}`,
    subject,
    account_id,
  };
}
