import { HOUR_MS, MINUTE_MS } from '@tollgate/core';
import type { billingV1, routingV1, statsV1, webhookV1 } from '@tollgate/protos';
import type { z } from 'zod';
import type { InstanceState } from '../../clients/completion/client';
import type { Unanswered } from '../asking/partial-answer';
import type { switchedOffSchema } from '../audit-log/switched-off';
import { type ChannelFigures, findSlow } from '../channels/channel-pace';
import {
  ALERT_RULES,
  type Alert,
  type AlertRule,
  type Found,
  NAMED_MAX,
  SEVERITIES,
  toAlert,
} from './alert';
import { findUsageAlerts, type UsageDetails } from './find-usage-alerts';

/** What the rules look at. A part that could not be read is undefined and is in `unanswered`. */
export interface Observations {
  readonly now: number;
  readonly instances: readonly InstanceState[];
  /** Those that no account owns. */
  readonly channels?: readonly routingV1.Channel__Output[] | undefined;
  /** What was asked of each channel of late and before. */
  readonly channelFigures?: ChannelFigures | undefined;
  /** All such channels are off by hand, and accounts are served by channels of their own. */
  readonly servesOwnersOnly?: boolean | undefined;
  /** Where none is enabled: who disabled the first of them, as far as the audit log tells. */
  readonly switchedOff?: readonly SwitchedOff[] | undefined;
  /** The first page of those that accounts own and that were disabled automatically. */
  readonly ownedDisabled?: routingV1.ListChannelsResponse__Output | undefined;
  /** The models of the catalogue, without routing names. */
  readonly models?: readonly routingV1.Model__Output[] | undefined;
  /** `none` when no audit was completed yet. */
  readonly audit?: billingV1.AuditResponse__Output | 'none' | undefined;
  /** The sums of all accounts of late, and the accounts that failed or were refused most. */
  readonly usage?: statsV1.QueryUsageResponse__Output | undefined;
  /** What tells more of it, where it wants attention. */
  readonly usageDetails: UsageDetails;
  /** When this gateway started. */
  readonly startedAtMs: number;
  /** Those that were disabled automatically: one more than are named, where there are more. */
  readonly endpoints?: readonly webhookV1.Endpoint__Output[] | undefined;
  /** Accounts whose requests fail of late and whose plan is none. */
  readonly withoutPlan?: readonly AccountWithoutPlan[] | undefined;
  /** Names of the accounts that the alerts speak of; an account without one goes by its id. */
  readonly accountNames: ReadonlyMap<string, string>;
  readonly unanswered: readonly Unanswered[];
}

interface AccountWithoutPlan {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
}

const AUDIT_AGE_MAX_MS = 3 * HOUR_MS;
/** The first audit of a new deployment is made within a minute. */
const FIRST_AUDIT_MAX_MS = 10 * MINUTE_MS;
/** Webhooks that have an alert each. */
export const ENDPOINTS_MAX = 50;

/** Everything that wants attention, what is critical first. */
export function findAlerts(seen: Observations): readonly Alert[] {
  const { channelFigures, channels = [] } = seen;
  const failing = findChannels(channels);
  const slow = channelFigures === undefined ? [] : findSlow(channelFigures, channels);
  const alerts = [
    ...seen.unanswered.map(toSilentService),
    ...findInstances(seen.instances),
    ...findNothingServed(seen),
    ...findMoney(seen),
    ...failing,
    ...findFull(channels, seen.now),
    // One that fails is slow for that reason, which its own alert tells.
    ...slow.filter(({ subject }) => !failing.some((one) => one.subject.id === subject.id)),
    ...findOwned(seen.ownedDisabled),
    ...findModels(seen),
    ...findUsageAlerts(seen),
    ...(seen.withoutPlan ?? []).map(toWithoutPlan),
    ...findWebhooks(seen),
  ].map(toAlert);
  const rank = ({ rule, severity }: Alert) =>
    SEVERITIES.indexOf(severity) * ALERT_RULES.length + ALERT_RULES.indexOf(rule);
  return alerts.sort((a, b) => rank(a) - rank(b));
}

function toSilentService({ about, reason, isRefusal }: Unanswered): Found {
  const name = `${about.charAt(0).toUpperCase()}${about.slice(1)}`;
  const title = `${name} ${isRefusal ? 'answers, but not what alerts ask' : 'could not be asked'}`;
  const subject = { type: 'service', id: about } as const;
  return { rule: 'service_silent', subject, title, detail: reason };
}

function findInstances(instances: Observations['instances']): readonly Found[] {
  const away = instances.filter(({ available }) => !available);
  if (away.length === instances.length) {
    const subject = { type: 'service', id: 'completion' } as const;
    return [{ rule: 'no_completion', subject, title: 'No completion instance takes work' }];
  }
  return away.map(({ address }) => ({
    rule: 'completion_refuses',
    subject: { type: 'service', id: address },
    title: `The completion instance ${address} takes no work`,
  }));
}

function findMoney({ audit, now, startedAtMs }: Observations): readonly Found[] {
  if (audit === undefined) return [];
  const subject = { type: 'money', id: '' } as const;
  if (audit === 'none' && now - startedAtMs < FIRST_AUDIT_MAX_MS) return [];
  if (audit === 'none') return [{ rule: 'audit_old', subject, title: 'No audit is complete yet' }];
  const since = audit.checkedAt;
  const found: Found[] = [];
  if (!audit.ok) {
    const [first] = audit.findings;
    const detail = first === undefined ? null : `${first.rule}: ${first.detail}`;
    const title = `The audit found ${countInWords(audit.findings.length, 'difference')}`;
    found.push({ rule: 'money_differs', subject, title, detail, since });
  }
  if (now - Date.parse(since) > AUDIT_AGE_MAX_MS) {
    found.push({ rule: 'audit_old', subject, title: 'No audit of late', since });
  }
  return found;
}

/** So long after the last request that found a channel full. */
const FULL_MS = 5 * MINUTE_MS;

function findFull(channels: readonly routingV1.Channel__Output[], now: number): readonly Found[] {
  return channels.flatMap(({ health, id, maxConcurrency, name, status }): readonly Found[] => {
    const noRoomAt = health?.noRoomAt ?? '';
    const isFull = maxConcurrency > 0 && noRoomAt !== '' && now - Date.parse(noRoomAt) < FULL_MS;
    if (!isFull || status !== 'CHANNEL_STATUS_ENABLED') return [];
    const detail = `max_concurrency is ${maxConcurrency}; found full last at ${noRoomAt}.`;
    const subject = { type: 'channel', id } as const;
    return [{ rule: 'channel_full', subject, title: `Requests find no room at ${name}`, detail }];
  });
}

function findChannels(channels: readonly routingV1.Channel__Output[]): readonly Found[] {
  return channels.flatMap((channel): readonly Found[] => {
    const { id, name, status, health } = channel;
    const subject = { type: 'channel', id } as const;
    if (status === 'CHANNEL_STATUS_AUTO_DISABLED') {
      const { disabledReason: detail, disabledAt: since } = channel;
      const title = `${name} was disabled automatically`;
      return [{ rule: 'channel_disabled', subject, title, ...textsOf({ detail, since }) }];
    }
    if (status !== 'CHANNEL_STATUS_ENABLED' || health === null) return [];
    const cutOff = health.models.filter(({ breaker }) => breaker === 'open');
    const isFailing = health.state === 'HEALTH_STATE_UNHEALTHY' || cutOff.length > 0;
    if (!isFailing) return [];
    const models = cutOff.map(({ model }) => inQuotes(model));
    const title = models.length === 0 ? `Calls of ${name} fail` : `${name} fails ${list(models)}`;
    const detail = health.lastError;
    return [{ rule: 'channel_failing', subject, title, ...textsOf({ detail }) }];
  });
}

function findNothingServed(seen: Observations): readonly Found[] {
  if (!isNothingServed(seen)) return [];
  const { channels = [], switchedOff = [] } = seen;
  const subject = toSubject(
    'channel',
    channels.map(({ id }) => id),
  );
  const detail =
    channels.length === 0 ? 'There is none.' : `All were disabled by hand${sayBy(switchedOff)}.`;
  return [{ rule: 'nothing_served', subject, title: 'No channel is enabled', detail }];
}

/**
 * No shared channel is enabled, and accounts have none of their own. One that was disabled
 * automatically has an alert of its own, and comes back by itself.
 */
export function isNothingServed(
  seen: Pick<Observations, 'channels' | 'servesOwnersOnly'> | undefined,
): boolean {
  const { channels, servesOwnersOnly } = seen ?? {};
  return channels !== undefined && !servesOwnersOnly && channels.every(isDisabledByHand);
}

type SwitchedOff = z.output<typeof switchedOffSchema>;

/** `: main 2026-02-03T09:00:00.000Z by ann@acme.example`. */
function sayBy(switchedOff: readonly SwitchedOff[]): string {
  const each = switchedOff.map(({ at, by, id, name }) => {
    return `${name ?? id} ${at}${by === null ? '' : ` by ${by}`}`;
  });
  return each.length === 0 ? '' : `: ${each.join('; ')}`;
}

const SUBJECTS_MAX = 10;

/** One has its id, of several the first are told. */
function toSubject(type: Found['subject']['type'], ids: readonly string[]): Found['subject'] {
  const [id = '', ...others] = ids;
  if (others.length === 0) return { type, id };
  return { type, id: '', ids: ids.slice(0, SUBJECTS_MAX) };
}

export function isDisabledByHand({ status }: Pick<routingV1.Channel__Output, 'status'>): boolean {
  return status === 'CHANNEL_STATUS_DISABLED';
}

/** One alert for all of them: with many customers some always have a credential that ended. */
function findOwned(disabled: Observations['ownedDisabled']): readonly Found[] {
  if (disabled === undefined || disabled.channels.length === 0) return [];
  const { channels, nextCursor } = disabled;
  const count = `${nextCursor === '' ? '' : 'More than '}${countInWords(channels.length, 'channel')}`;
  return [
    {
      rule: 'owned_channels_disabled',
      subject: {
        ...toSubject(
          'channel',
          channels.map(({ id }) => id),
        ),
        id: '',
      },
      title: `${count} of customers disabled automatically`,
      detail: list(channels.map(({ name }) => name)),
    },
  ];
}

/** Without the texts that a service left empty. */
function textsOf(texts: Readonly<Record<string, string>>): Pick<Found, 'detail' | 'since'> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}

/** One alert for all models of a kind: a large catalogue may have hundreds of them. */
function findModels({ channels, models }: Observations): readonly Found[] {
  if (channels === undefined || models === undefined) return [];
  const served = models.map(({ name }) => {
    const naming = channels.filter((channel) => channel.models.some((one) => one.name === name));
    return { name, naming, isServed: naming.some((channel) => isCallable(channel, name)) };
  });
  const hasChannel = ({ naming }: (typeof served)[number]) => naming.length > 0;
  const down = served.filter(({ isServed }) => !isServed);
  const unset = models.filter(({ pricing }) => pricing?.source === 'default');
  return [
    toModels('model_not_served', 'No channel can serve', down.filter(hasChannel)),
    toModels(
      'model_without_channel',
      'No channel names',
      down.filter((one) => !hasChannel(one)),
    ),
    toModels('price_not_set', 'Nobody set the price of', unset),
  ].flat();
}

function isCallable(
  { status, health }: Pick<routingV1.Channel__Output, 'status' | 'health'>,
  name: string,
): boolean {
  const known = health?.models.find(({ model }) => model === name);
  return status === 'CHANNEL_STATUS_ENABLED' && (known ?? health)?.breaker !== 'open';
}

function toModels(
  rule: AlertRule,
  verb: string,
  models: readonly { readonly name: string }[],
): readonly Found[] {
  if (models.length === 0) return [];
  const names = models.map(({ name }) => name);
  return [
    { rule, subject: toSubject('model', names), title: `${verb} ${list(names.map(inQuotes))}` },
  ];
}

function toWithoutPlan({ id, name, plan }: AccountWithoutPlan): Found {
  return {
    rule: 'account_without_plan',
    subject: { type: 'account', id },
    account_id: id,
    title: `${name} is on the plan ${inQuotes(plan)}, which does not exist`,
  };
}

function findWebhooks({ endpoints = [], accountNames }: Observations): readonly Found[] {
  const named = endpoints.slice(0, ENDPOINTS_MAX);
  const rest: Found = {
    rule: 'webhook_disabled',
    subject: { type: 'webhook', id: '' },
    title: `More than ${ENDPOINTS_MAX} webhooks disabled automatically`,
  };
  const each = named.map(({ id, accountId, url, lastDeliveryAt }) => ({
    rule: 'webhook_disabled' as const,
    subject: { type: 'webhook' as const, id },
    account_id: accountId,
    title: `A webhook of ${accountNames.get(accountId) ?? accountId} was disabled automatically`,
    // An address may hold a secret behind its host.
    detail: URL.canParse(url) ? `It sent to ${new URL(url).host}.` : null,
    ...textsOf({ since: lastDeliveryAt }),
  }));
  return endpoints.length > named.length ? [...each, rest] : each;
}

function list(names: readonly string[]): string {
  const more = names.length - NAMED_MAX;
  const named = names.slice(0, NAMED_MAX).join(', ');
  return more > 0 ? `${named} and ${more} more` : named;
}

const countInWords = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

/** A model may be called like a word of the sentence. */
const inQuotes = (name: string) => `“${name}”`;
