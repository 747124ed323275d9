import {
  AppError,
  isCode,
  isRoutingName,
  REJECTION_REASONS,
  type RejectionReason,
  splitModelName,
} from '@tollgate/core';
import type { billingV1, identityV1, routingV1 } from '@tollgate/protos';
import { z } from 'zod';
import { limitsOf } from '../../auth/principal';
import { formats } from '../../chat/formats/all';
import type { ChatRequest } from '../../chat/request';
import { fromAccountAndKey, fromTerms } from '../../clients/from-proto';
import type { AccountPlan } from '../../limits/plan-table';
import { amount, toAmount } from '../../money/amounts';
import { accountSchema, toAccount } from '../accounts/accounts';
import { toActor } from '../asking/actor';
import { isUserId } from '../asking/names';
import { createPartialAnswer, orUndefined } from '../asking/partial-answer';
import { required } from '../asking/required';
import {
  findSwitchedOff,
  type SwitchQuestion,
  switchedOffSchema,
  switchQuestion,
} from '../audit-log/switched-off';
import { limitsSchema, toLimits } from '../billing/plans';
import { listSharedChannels } from '../channels/channels';
import { explain, routeCandidateSchema } from '../channels/explain-route';
import { keySchema, toKeys } from '../keys/keys';
import { loadEntries } from '../models/catalogue';
import type { PrincipalContext, Services } from '../operation';
import { isoTime, named, textOrNull } from '../payloads/values';

type Account = identityV1.Account__Output;
type ApiKey = identityV1.ApiKey__Output;
type Channel = routingV1.Channel__Output;

/** A channel that could not take it, and why. */
interface Rejected {
  readonly channel_id: string;
  readonly model: string;
  readonly reason: RejectionReason;
}

/** The request that is asked about; a text that is empty is not known. */
export type AskedRequest = Pick<
  billingV1.UsageRecord__Output,
  'accountId' | 'keyId' | 'requestedModel' | 'userId'
> & {
  /** The model that was chosen, where one was. */
  readonly model?: string;
  /** What it was refused with, or failed with. */
  readonly errorCode?: string | undefined;
  /** Why its bearer was refused; absent for whatever is no 401. */
  readonly fault?: string | undefined;
  /** Present for a request that was refused: what is on again since then is told too. */
  readonly refused?: { readonly atMs: number; readonly rejected: readonly Rejected[] };
};

/** That it can serve the request now says nothing of the moment at which it was refused. */
const storyCandidateSchema = named('StoryCandidate', {
  ...routeCandidateSchema.shape,
  rejected_then: z
    .enum(REJECTION_REASONS)
    .nullable()
    .describe('Why it could not take the request when that was refused; null when it was not.'),
});

/**
 * What would decide about the same request at this moment. What decided when it was made only the
 * usage record tells, or the reason of its refusal.
 */
export const conditionsSchema = named('RequestConditions', {
  account: accountSchema.nullable().describe('Null when it cannot be read now.'),
  key: keySchema.nullable().describe('Null when it is gone.'),
  balance: z
    .object({ balance: amount, reserved: amount, available: amount })
    .nullable()
    .describe("The account's; what is reserved is held for requests that run."),
  limits: limitsSchema
    .nullable()
    .describe("The account's: its own or its plan's. A key may have narrower ones."),
  candidates: z
    .array(storyCandidateSchema)
    .nullable()
    .describe('For a short prompt; those that are refused say why.'),
  disabled_channels: z
    .array(
      z.object({
        channel_id: z.string(),
        name: z.string(),
        status: z.enum(['disabled', 'auto_disabled']),
        disabled_at: isoTime.nullable().describe('When it was disabled automatically.'),
        disabled_reason: z.string().nullable(),
      }),
    )
    .describe(
      'Shared ones that would serve it, where no channel could serve it then, or can now; ten at most.',
    ),
  switched_off: z
    .array(switchedOffSchema)
    .describe(
      'Who suspended, disabled, revoked or rotated which of these, and when; of a refused request ' +
        'also what was off then, and of a key that is gone who removed its person.',
    ),
  unknown: z
    .array(z.object({ about: z.string(), reason: z.string() }))
    .describe('What could not be read now, and why; it is null above.'),
});

/** Asks whoever knows; what cannot be read now does not keep the rest of a story from its reader. */
export async function readConditions(
  asked: AskedRequest,
  viewer: PrincipalContext,
  services: Services,
): Promise<z.output<typeof conditionsSchema>> {
  const { ask, unanswered } = createPartialAnswer();
  const [account, key, balance] = await Promise.all([
    ask('account', () => readAccount(asked, services)),
    asked.keyId === '' ? undefined : ask('key', () => readKey(asked, viewer, services)),
    ask('balance', () => readBalance(asked, services)),
  ]);
  if (account === undefined) {
    return {
      account: null,
      key: null,
      balance: balance ?? null,
      limits: null,
      candidates: null,
      disabled_channels: [],
      switched_off: [],
      unknown: unanswered.map(({ about, reason }) => ({ about, reason })),
    };
  }
  const [plan, keys] = await Promise.all([
    ask('limits', () => services.plans.planOf(account.plan)),
    key && ask('key', () => toKeys([key], account.id, services)),
  ]);
  const candidates =
    plan &&
    asked.requestedModel !== '' &&
    (await ask('candidates', () => explainNow({ asked, account, key, plan }, viewer, services)));
  const isUnserved =
    asked.errorCode === 'SERVICE_UNAVAILABLE' || (candidates && !candidates.some(isEligible));
  const serving = isUnserved && (await ask('channels', () => readServingChannels(asked, services)));
  const disabled = listDisabled(serving || []);
  const user = await ask('user', () => findUser(asked, key, services));
  const parties = { account, key, user };
  const questions = [
    ...askOfOffNow(asked, parties, disabled),
    ...askOfOffThen(asked, parties, serving || []),
  ];
  const switchedOff = await ask('audit log', () => findSwitchedOff(questions, viewer, services));
  return {
    account: toAccount(account),
    key: keys?.[0] ?? null,
    balance: balance ?? null,
    limits: plan === undefined ? null : toLimits(limitsOf(fromTerms(account.terms), plan.limits)),
    candidates: candidates || null,
    disabled_channels: disabled,
    switched_off: [...(switchedOff ?? [])],
    unknown: unanswered.map(({ about, reason }) => ({ about, reason })),
  };
}

/** On whose status it depends whether a request is let in. */
interface Parties {
  readonly account: Account;
  readonly key: ApiKey | undefined;
  readonly user: identityV1.User__Output | undefined;
}

/** What is off, and was switched off by somebody: one that was disabled automatically says so. */
function askOfOffNow(
  { keyId }: AskedRequest,
  { account, key, user }: Parties,
  disabled: Disabled,
): readonly SwitchQuestion[] {
  const isSuspended = account.status === 'ACCOUNT_STATUS_SUSPENDED';
  const isUserOff = user?.status === 'USER_STATUS_DISABLED';
  const isKeyOff = key?.status === 'API_KEY_STATUS_DISABLED';
  const isKeyGone = keyId !== '' && key === undefined;
  return [
    isSuspended && switchQuestion('account', account, 'suspended'),
    isUserOff && switchQuestion('user', { id: user.id, name: user.email }, 'disabled'),
    isKeyOff && switchQuestion('key', key, 'disabled'),
    isKeyGone && switchQuestion('key', { id: keyId, name: null }, 'revoked'),
    ...disabled
      .filter(({ status }) => status === 'disabled')
      .map(({ channel_id: id, name }) => switchQuestion('channel', { id, name }, 'disabled')),
  ].filter((one) => one !== false);
}

/** What is on now and may have been off when the request was refused, so that this was the cause. */
function askOfOffThen(
  { errorCode, fault, refused }: AskedRequest,
  { account, key, user }: Parties,
  serving: readonly Channel[],
): readonly SwitchQuestion[] {
  if (refused === undefined) return [];
  const when = { refusedAtMs: refused.atMs };
  if (errorCode === 'FORBIDDEN' && account.status === 'ACCOUNT_STATUS_ACTIVE') {
    return [switchQuestion('account', account, 'suspended', when)];
  }
  if (fault === 'wrong_secret') {
    return key === undefined ? [] : [switchQuestion('key', key, 'rotated', when)];
  }
  if (errorCode === 'UNAUTHORIZED') {
    const isKeyOn = key?.status === 'API_KEY_STATUS_ACTIVE';
    const isUserOn = user?.status === 'USER_STATUS_ACTIVE';
    return [
      isKeyOn && switchQuestion('key', key, 'disabled', when),
      isUserOn && switchQuestion('user', { id: user.id, name: user.email }, 'disabled', when),
    ].filter((one) => one !== false);
  }
  if (refused.rejected.length > 0) return [];
  return serving
    .filter(({ status }) => status === 'CHANNEL_STATUS_ENABLED')
    .map((channel) => switchQuestion('channel', channel, 'disabled', when));
}

async function readAccount({ accountId }: AskedRequest, { identity }: Services): Promise<Account> {
  const { account } = await identity.getAccount({ accountId });
  return required(account);
}

async function readKey(
  { accountId, keyId }: AskedRequest,
  { principal }: PrincipalContext,
  { identity }: Services,
): Promise<ApiKey> {
  const actor = { ...toActor(principal), accountId };
  try {
    return required((await identity.getApiKey({ actor, keyId })).apiKey);
  } catch (error) {
    if (!isCode(error, 'NOT_FOUND')) throw error;
    throw new AppError('NOT_FOUND', { publicMessage: 'It was revoked.' });
  }
}

/** Who made a key that let nobody in, or whose session it was: disabled now, or perhaps then. */
async function findUser(
  { errorCode, userId: sessionOf }: AskedRequest,
  key: ApiKey | undefined,
  { identity }: Services,
): Promise<identityV1.User__Output | undefined> {
  const userId = key?.createdBy ?? sessionOf;
  if (errorCode !== 'UNAUTHORIZED' || !isUserId(userId)) return undefined;
  try {
    const { user } = await identity.getUser({ userId });
    return user ?? undefined;
  } catch (error) {
    if (isCode(error, 'NOT_FOUND')) return undefined;
    throw error;
  }
}

async function readBalance({ accountId }: AskedRequest, { billing }: Services) {
  const { available, balance, reserved } = await billing.getBalance({ accountId });
  return {
    balance: toAmount(balance),
    reserved: toAmount(reserved),
    available: toAmount(available),
  };
}

function isEligible({ eligible }: { readonly eligible: boolean }): boolean {
  return eligible;
}

const DISABLED_MAX = 10;

type Disabled = z.output<typeof conditionsSchema>['disabled_channels'];

/** The channels that serve the model, or all where its name stands for several. */
async function readServingChannels(
  { requestedModel }: AskedRequest,
  { routing }: Services,
): Promise<readonly Channel[]> {
  const { name } = splitModelName(requestedModel);
  const isRouted = isRoutingName(name);
  const channels = await listSharedChannels(routing);
  return channels.filter(({ models }) => isRouted || models.some((model) => model.name === name));
}

function listDisabled(channels: readonly Channel[]): Disabled {
  return channels
    .filter(({ status }) => status !== 'CHANNEL_STATUS_ENABLED')
    .slice(0, DISABLED_MAX)
    .map(({ disabledAt, disabledReason, id, name, status }) => ({
      channel_id: id,
      name,
      status: status === 'CHANNEL_STATUS_AUTO_DISABLED' ? 'auto_disabled' : 'disabled',
      disabled_at: textOrNull(disabledAt),
      disabled_reason: textOrNull(disabledReason),
    }));
}

interface Judged {
  readonly asked: AskedRequest;
  readonly account: Account;
  readonly key: ApiKey | undefined;
  readonly plan: AccountPlan;
}

const SHORT_CHAT = { messages: [{ role: 'user', content: '' }] };
const SHORT_TEXT = { input: '.' };

/** A model of vectors takes no chat, and no request says by which path it came. */
async function toShortRequest(
  { model: chosen, requestedModel: model }: AskedRequest,
  { routing }: Services,
): Promise<ChatRequest> {
  const names = [chosen, splitModelName(model).name];
  const models = (await orUndefined(() => loadEntries(routing))) ?? [];
  const found = models.find(({ name }) => names.includes(name));
  return found?.kind === 'MODEL_KIND_EMBEDDING'
    ? formats.embeddings.parse({ model, ...SHORT_TEXT })
    : formats.openai.parse({ model, ...SHORT_CHAT });
}

/** A request whose key is gone is judged by what its account may use. */
async function explainNow(
  { asked, account, key, plan }: Judged,
  { context }: PrincipalContext,
  services: Services,
) {
  const principal = {
    ...({ kind: 'api_key', operator: false, scopes: new Set<string>() } as const),
    keyId: asked.keyId,
    userId: asked.userId,
    ...fromAccountAndKey(account, key),
  };
  const body = await toShortRequest(asked, services);
  const { candidates } = await explain({ body, principal, plan }, context, services, true);
  return candidates.map((candidate) => {
    const { channel, model } = candidate;
    const then = asked.refused?.rejected.find(
      (one) => one.channel_id === channel?.id && one.model === model,
    );
    return { ...candidate, rejected_then: then?.reason ?? null };
  });
}
