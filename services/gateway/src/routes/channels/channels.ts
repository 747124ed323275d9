import {
  CHANNEL_BOUNDS,
  CHANNEL_STATUSES,
  CHANNEL_TYPES,
  type ChannelType,
  MODEL_BOUNDS,
  withoutUndefined,
} from '@tollgate/core';
import type { routingV1 } from '@tollgate/protos';
import {
  fromProtoChannelType,
  fromProtoName,
  toProtoChannelType,
  toProtoName,
} from '@tollgate/rpc';
import { z } from 'zod';
import { requireOwnerNotErased } from '../accounts/accounts';
import { orUndefined } from '../asking/partial-answer';
import { required } from '../asking/required';
import { readSwitchedOff, switchedOffSchema, switchQuestion } from '../audit-log/switched-off';
import { capabilityList } from '../models/models';
import { type Operation, operation, type Services } from '../operation';
import { answerOf } from '../payloads/answer-of';
import { toOperatorIdempotency } from '../payloads/idempotency';
import { everyPage, listOf, toPageAnswer } from '../payloads/paging';
import {
  deletedSchema,
  displayText,
  groupName,
  HTTP_URL,
  HTTP_URL_RULE,
  idParams,
  isoTime,
  named,
  toDeleted,
} from '../payloads/values';
import { channelHealthSchema, toChannelHealth } from './channel-health';
import { channelPaceOf, paceSchema, readChannelFigures } from './channel-pace';
import {
  fromTimeouts,
  ownTimeoutsSchema,
  readTimeoutsInForce,
  timeoutsInForceSchema,
  timeoutsSchema,
  toTimeouts,
} from './channel-timeouts';

export const channelType = z.enum(CHANNEL_TYPES);
const status = z.enum(CHANNEL_STATUSES);
export const credential = z
  .string()
  .max(CHANNEL_BOUNDS.credentialLengthMax)
  .regex(/^[\x21-\x7e]*$/, 'must be visible ASCII characters.')
  .describe('Never shown again; empty for a vendor without authentication.');
/** The name of a model of the catalogue; any other text is one that is not there. */
const catalogueName = z
  .string()
  .min(1)
  .max(MODEL_BOUNDS.nameLengthMax)
  .meta({ pattern: MODEL_BOUNDS.name.source });
const channelModel = z.strictObject({
  name: catalogueName,
  upstream_name: z
    .string()
    .regex(CHANNEL_BOUNDS.upstreamName, 'must be 1 to 200 visible ASCII characters.')
    .optional(),
});
/** A channel as operators see it; the credential is write-only. */
const channelSchema = named('Channel', {
  id: z.string(),
  name: z.string(),
  type: channelType,
  base_url: z.string(),
  credential_preview: z.string(),
  models: z.array(z.object({ name: z.string(), upstream_name: z.string() })),
  groups: z.array(z.string()),
  owner_account_id: z.string().nullable().describe('null for a shared channel.'),
  priority: z.int(),
  weight: z.int(),
  status,
  disabled_at: isoTime.nullable().describe('When it was disabled automatically, if it did.'),
  disabled_reason: z.string().nullable(),
  auto_disable: z.boolean(),
  max_concurrency: z.int().nullable(),
  timeouts: ownTimeoutsSchema,
  capabilities: z.array(z.string()),
  health: channelHealthSchema,
  created_at: isoTime,
  updated_at: isoTime,
});

const listedChannelSchema = named('ListedChannel', {
  ...channelSchema.shape,
  pace: paceSchema
    .nullable()
    .describe('Whether it is slow, failures or not; null while statistics do not answer.'),
});

const shownChannelSchema = named('ShownChannel', {
  ...listedChannelSchema.shape,
  timeouts_in_force: timeoutsInForceSchema,
  switched_off: switchedOffSchema
    .nullable()
    .describe('Who disabled it, and when, as far as the audit log tells; null of others.'),
});
export type ShownChannel = z.output<typeof shownChannelSchema>;

/** Every channel that no account owns. */
export async function listSharedChannels(
  routing: Services['routing'],
): Promise<readonly routingV1.Channel__Output[]> {
  const selection = 'CHANNEL_SELECTION_SHARED';
  const shared: routingV1.Channel__Output[] = [];
  const pages = everyPage((page) => routing.listChannels({ ...page, selection }));
  for await (const { channels } of pages) shared.push(...channels);
  return shared;
}

/** The settings of operators; fields that are left out of an update keep their value. */
const channelSettingsSchema = z.strictObject({
  name: displayText.optional(),
  type: channelType.optional(),
  base_url: z.string().min(1).max(2048).optional().meta({ pattern: HTTP_URL }),
  credential: credential.optional(),
  models: z.array(channelModel).max(CHANNEL_BOUNDS.modelsMax).optional(),
  groups: z.array(groupName).max(CHANNEL_BOUNDS.groupsMax).optional(),
  owner_account_id: z.string().max(128).nullable().optional(),
  priority: z.int().min(0).max(CHANNEL_BOUNDS.priorityMax).optional(),
  weight: z.int().min(1).max(CHANNEL_BOUNDS.weightMax).optional(),
  status: z.enum(['enabled', 'disabled']).optional(),
  auto_disable: z.boolean().optional(),
  max_concurrency: z.int().min(1).max(CHANNEL_BOUNDS.concurrencyMax).nullable().optional(),
  timeouts: timeoutsSchema.optional(),
  capabilities: capabilityList.optional().meta({
    description:
      'Such as tools, images, files, response_format, n, logprobs, logit_bias, reasoning_effort. ' +
      'What is not declared is not sent there: a channel that declares none gets plain text alone.',
  }),
});

/** A vendor may take its time: longer than any other management call. */
export const VENDOR_DEADLINE_MS = 30_000;

const CHANNEL_RULES = {
  base_url: HTTP_URL_RULE,
  'models[].name': 'must be a model of the catalogue, each once',
  owner_account_id: 'must be an account that is not erased',
};

export const listChannels = operation(
  {
    summary: 'List all channels',
    ...listOf(listedChannelSchema),
  },
  async ({ query }, services) => {
    const [{ channels, nextCursor }, paceOf] = await Promise.all([
      services.routing.listChannels(query),
      orUndefined(() => readPaces(services)),
    ]);
    const listed = channels.map((channel) => ({
      ...toChannel(channel, services),
      pace: paceOf?.(channel) ?? null,
    }));
    return { data: toPageAnswer(listed, nextCursor) };
  },
);

export const createChannel = operation(
  {
    summary: 'Create a channel',
    body: channelSettingsSchema.required({ name: true, type: true, base_url: true, models: true }),
    rules: CHANNEL_RULES,
    data: channelSchema,
    status: 201,
    idempotency: 'optional',
  },
  async ({ principal, body, context }, { clock, identity, routing }) => {
    await requireOwnerNotErased({ identity }, body.owner_account_id);
    const { channel, replayed } = await routing.createChannel({
      settings: toChannelSettings(body),
      ...toOperatorIdempotency(principal, context.idempotency),
    });
    return { data: toChannel(required(channel), { clock }), replayed };
  },
);

export const getChannel = operation(
  {
    summary: 'Get one channel',
    params: idParams,
    data: shownChannelSchema,
  },
  async (input, services) => {
    const answer = await services.routing.getChannel({ channelId: input.params.id });
    const channel = required(answer.channel);
    const isOff = channel.status === 'CHANNEL_STATUS_DISABLED';
    const off = isOff && switchQuestion('channel', channel, 'disabled');
    const [paceOf, timeouts_in_force, switched_off] = await Promise.all([
      orUndefined(() => readPaces(services)),
      readTimeoutsInForce(channel, services),
      readSwitchedOff(off, input, services),
    ]);
    const shown = toChannel(channel, services);
    return { data: { ...shown, pace: paceOf?.(channel) ?? null, timeouts_in_force, switched_off } };
  },
  {
    async readResource({ params }, services) {
      const { channel } = await services.routing.getChannel({ channelId: params.id });
      return toChannel(required(channel), services);
    },
  },
);

/** Tells the pace of any channel. One without a past is compared with all shared ones. */
async function readPaces(services: Services) {
  const [figures, shared] = await Promise.all([
    readChannelFigures(services),
    listSharedChannels(services.routing),
  ]);
  return (channel: routingV1.Channel__Output) => channelPaceOf(figures, channel, shared);
}

/** Fields that are left out keep their value, the credential above all. */
export const updateChannel = operation(
  {
    summary: 'Change a channel',
    params: idParams,
    body: channelSettingsSchema,
    rules: { ...CHANNEL_RULES, credential: 'is needed again with a new base_url' },
    data: channelSchema,
  },
  async ({ params, body }, { clock, identity, routing }) => {
    await requireOwnerNotErased({ identity }, body.owner_account_id);
    const { channel } = await routing.updateChannel({
      channelId: params.id,
      settings: toChannelSettings(body),
    });
    return { data: toChannel(required(channel), { clock }) };
  },
);

/** A whole PUT would ask for a credential that nobody can read back. */
export const replaceChannel: Operation = {
  ...updateChannel,
  schema: {
    ...updateChannel.schema,
    summary: 'Change a channel, as PATCH does: a partial PUT is accepted until v2',
  },
};

export const deleteChannel = operation(
  {
    summary: 'Delete a channel',
    params: idParams,
    data: deletedSchema,
  },
  async ({ params }, { routing }) => {
    await routing.deleteChannel({ channelId: params.id });
    return { data: toDeleted(params.id) };
  },
);

const checkedSchema = z.object({
  channel_id: z.string(),
  model: z.string(),
  healthy: z.boolean(),
  latency_ms: z.int().nullable(),
  first_token_ms: z.int().nullable(),
  http_status: z.int().nullable(),
  error: z.string().nullable(),
  checked_at: isoTime,
});

export const checkChannelHealth = operation(
  {
    summary: 'Ask a channel for a short answer, charged to nobody',
    params: idParams,
    body: z.strictObject({
      model: catalogueName.optional().describe("The channel's first model when absent."),
    }),
    rules: { model: 'must be one that the channel serves' },
    data: checkedSchema,
    idempotency: 'optional',
  },
  async ({ principal, params, body, context }, { routing }) => {
    const checked = await routing.checkChannelHealth(
      {
        channelId: params.id,
        model: body.model ?? '',
        ...toOperatorIdempotency(principal, context.idempotency),
      },
      { deadlineMs: VENDOR_DEADLINE_MS },
    );
    return { data: answerOf(checkedSchema, checked, {}), replayed: checked.replayed };
  },
);

/** The settings as routing takes them: absent fields are kept. */
function toChannelSettings(
  settings: z.output<typeof channelSettingsSchema>,
): routingV1.ChannelSettings {
  const { models, groups, capabilities, timeouts } = settings;
  const { owner_account_id: owner, max_concurrency: concurrency } = settings;
  return withoutUndefined({
    name: settings.name,
    type: settings.type && toProtoChannelType(settings.type),
    baseUrl: settings.base_url,
    credential: settings.credential,
    models: models && {
      values: models.map(({ name, upstream_name: upstreamName = name }) => ({
        name,
        upstreamName,
      })),
    },
    groups: groups && { values: groups },
    ownerAccountId: owner === null ? '' : owner,
    priority: settings.priority,
    weight: settings.weight,
    status: settings.status && toProtoName('CHANNEL_STATUS', settings.status),
    autoDisable: settings.auto_disable,
    maxConcurrency: concurrency === null ? 0 : concurrency,
    timeouts: timeouts && fromTimeouts(timeouts),
    capabilities: capabilities && { values: capabilities },
  });
}

/** A channel as the API shows it. */
function toChannel(
  channel: routingV1.Channel__Output,
  { clock }: Pick<Services, 'clock'>,
): z.infer<typeof channelSchema> {
  return answerOf(channelSchema, channel, {
    type: toChannelType(channel.type),
    models: channel.models.map(({ name, upstreamName }) => ({ name, upstream_name: upstreamName })),
    status: fromProtoName(status.options, 'CHANNEL_STATUS', channel.status) ?? 'disabled',
    max_concurrency: channel.maxConcurrency === 0 ? null : channel.maxConcurrency,
    timeouts: toTimeouts(channel),
    health: toChannelHealth(channel.health, clock.now()),
  });
}

/** A type that only a newer routing knows goes out as the number that it is: no type of ours fits. */
function toChannelType(type: routingV1.ChannelType__Output): ChannelType {
  return fromProtoChannelType(type) ?? (String(type) as ChannelType);
}
