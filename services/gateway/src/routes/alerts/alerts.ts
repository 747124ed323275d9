import { HOUR_MS, isCode, PAGE_SIZE_MAX, toIsoTime } from '@tollgate/core';
import { z } from 'zod';
import { toActor } from '../asking/actor';
import { readAccountNames } from '../asking/names';
import { createPartialAnswer, orUndefined } from '../asking/partial-answer';
import { findSwitchedOff, switchQuestion } from '../audit-log/switched-off';
import { readChannelFigures } from '../channels/channel-pace';
import { listSharedChannels } from '../channels/channels';
import { loadEntries } from '../models/catalogue';
import { operation, type PrincipalContext, type Services } from '../operation';
import { isoTime } from '../payloads/values';
import { countServerFailures } from '../stats/stats';
import { alertSchema } from './alert';
import {
  ENDPOINTS_MAX,
  findAlerts,
  isDisabledByHand,
  isNothingServed,
  type Observations,
} from './find-alerts';
import {
  failedBy,
  findFailedAccounts,
  findFailing,
  findHurt,
  findNamed,
  NO_DETAILS,
  type Usage,
  type UsageDetails,
} from './find-usage-alerts';

/** Accounts that are looked at, those with the most failed and refused requests. */
const LOOKED_AT_MAX = 200;
/** Accounts of whom the first minute is asked for. */
const SINCE_ASKED_MAX = 5;
const CHANNELS_MAX = 10;
/** Of so many accounts the names are read; the others go by their ids. */
const ACCOUNT_NAMES_MAX = 50;

const alertListSchema = z.object({
  items: z.array(alertSchema).describe('What is critical first.'),
  checked_at: isoTime,
});

export type AlertList = z.output<typeof alertListSchema>;

/** Made from what the services say at this moment: nothing of it is kept. */
export const listAlerts = operation(
  {
    summary: 'List what wants the attention of an operator now',
    data: alertListSchema,
  },
  async (input, services) => {
    const alerts = findAlerts(await observe(input, services));
    return {
      data: { items: alerts, checked_at: toIsoTime(services.clock.now()) },
    };
  },
);

/**
 * Asks every service; one that does not answer is among the failures, and the others count. No
 * question grows with the number of accounts: the answers would not come in time.
 */
async function observe(viewer: PrincipalContext, services: Services): Promise<Observations> {
  const { principal } = viewer;
  const { billing, clock, completions, identity, routing, stats, webhook } = services;
  const actor = toActor(principal);
  const now = clock.now();
  // Two buckets, so that the first minutes of an hour are judged by the hour before.
  const usageSince = toIsoTime(Math.floor(now / HOUR_MS) * HOUR_MS - HOUR_MS);
  const { ask, unanswered } = createPartialAnswer();
  const [table, audit, usage, disabled, , channelFigures] = await Promise.all([
    ask('routing', () => readChannelsAndModels(routing)),
    ask('billing', () => readAudit(billing)),
    ask('stats', () =>
      stats.queryUsage({
        accountId: '',
        start: usageSince,
        end: toIsoTime(now),
        operator: true,
        interval: 'INTERVAL_HOUR',
        groupBy: ['DIMENSION_ACCOUNT'],
        worst: LOOKED_AT_MAX,
      }),
    ),
    ask('webhook', () => webhook.listAutoDisabledEndpoints({ limit: ENDPOINTS_MAX + 1 })),
    // Asked only whether it answers.
    ask('identity', () => identity.listAccounts({ actor, limit: 1 })),
    // Silence is told once, by the sums of all accounts.
    orUndefined(() => readChannelFigures(services)),
  ]);
  const endpoints = disabled?.endpoints ?? [];
  const named = [...findNamed(usage), ...endpoints.map(({ accountId }) => accountId)];
  const span = { start: usageSince, end: toIsoTime(now) };
  const off = isNothingServed(table) ? (table?.channels ?? []) : [];
  const questions = off.map((channel) => switchQuestion('channel', channel, 'disabled'));
  const [usageDetails, switchedOff, withoutPlan] = await Promise.all([
    ask('stats', () => readUsageDetails(usage, span, stats)),
    orUndefined(() => findSwitchedOff(questions, viewer, services)),
    // Silence of billing is told once, by the audit.
    orUndefined(() => readWithoutPlan(findFailedAccounts(usage), services)),
  ]);
  return {
    now,
    audit,
    usage,
    usageDetails: usageDetails ?? NO_DETAILS,
    switchedOff,
    withoutPlan,
    endpoints,
    unanswered,
    startedAtMs: services.startedAtMs,
    ownedDisabled: table?.ownedDisabled,
    instances: completions.instances,
    channels: table?.channels,
    models: table?.models,
    channelFigures,
    servesOwnersOnly: table?.servesOwnersOnly,
    accountNames: await readAccountNames(named, ACCOUNT_NAMES_MAX, services),
  };
}

/** All shared channels, and a page of those of customers that were disabled automatically. */
async function readChannelsAndModels(routing: Services['routing']) {
  const selection = 'CHANNEL_SELECTION_OWNED_SELF_DISABLED';
  const owned = { limit: PAGE_SIZE_MAX, selection } as const;
  const [models, ownedDisabled, channels] = await Promise.all([
    loadEntries(routing),
    routing.listChannels(owned),
    listSharedChannels(routing),
  ]);
  const servesOwnersOnly = channels.every(isDisabledByHand) && (await servesOwners(routing));
  return { channels, models, ownedDisabled, servesOwnersOnly };
}

/** Whether accounts are served by channels of their own, as far as a page tells. */
async function servesOwners(routing: Services['routing']): Promise<boolean> {
  const { channels } = await routing.listChannels({ limit: PAGE_SIZE_MAX });
  return channels.some((one) => one.ownerAccountId !== '' && !isDisabledByHand(one));
}

/** Asks for no more than the alerts will say: nothing while nothing wants attention. */
async function readUsageDetails(
  usage: Usage | undefined,
  span: { readonly start: string; readonly end: string },
  stats: Services['stats'],
): Promise<UsageDetails> {
  const asked = { ...span, operator: true };
  const [byChannel, ...sinceMs] = await Promise.all([
    findFailing(usage) === undefined
      ? undefined
      : stats.queryUsage({
          ...asked,
          accountId: '',
          worst: CHANNELS_MAX,
          interval: 'INTERVAL_HOUR',
          groupBy: ['DIMENSION_CHANNEL'],
        }),
    ...findHurt(usage, 1)
      .slice(0, SINCE_ASKED_MAX)
      .map(async (accountId) => {
        const minutes = { ...asked, accountId, interval: 'INTERVAL_MINUTE' } as const;
        return [accountId, firstMinuteMs(await stats.queryUsage(minutes))] as const;
      }),
  ]);
  return {
    failedByChannel: failedBy(byChannel),
    sinceMs: new Map(sinceMs.flatMap(([id, atMs]) => (atMs === undefined ? [] : [[id, atMs]]))),
  };
}

function firstMinuteMs({ results }: Usage): number | undefined {
  const first = results.find(
    ({ metrics }) => countServerFailures(metrics) + Number(metrics?.rateLimitedRequests ?? 0) > 0,
  );
  return first === undefined ? undefined : Date.parse(first.bucket);
}

/** The kept audit; `none` until one was completed, such as after a restore. */
async function readAudit(billing: Services['billing']) {
  try {
    return await billing.audit({ keptOnly: true });
  } catch (error) {
    if (isCode(error, 'NOT_FOUND')) return 'none' as const;
    throw error;
  }
}

/** The accounts whose plan billing does not know; one that was erased needs none. */
async function readWithoutPlan(
  accountIds: readonly string[],
  { billing, identity }: Pick<Services, 'billing' | 'identity'>,
) {
  if (accountIds.length === 0) return [];
  const [{ plans }, ...accounts] = await Promise.all([
    billing.listPlans({}),
    ...accountIds.map((accountId) => identity.getAccount({ accountId }).catch(() => null)),
  ]);
  const known = new Set(plans.map(({ id }) => id));
  return accounts.flatMap((answer) => {
    const account = answer?.account;
    const isOpen = account?.status === 'ACCOUNT_STATUS_ACTIVE';
    return account && isOpen && !known.has(account.plan) ? [account] : [];
  });
}
