import {
  amount,
  type ConfigOf,
  choice,
  defineConfig,
  integer,
  parsedList,
  secret,
  shared,
  text,
  url,
  withVariable,
} from '@tollgate/config';
import { CHANNEL_TYPES, formatAmount, parseAmount } from '@tollgate/core';
import { LEADER_TTL_MS_MAX } from '@tollgate/jobs';
import type { NamedModel } from './operations/first-models';

/** Everything that routing reads from its environment. */
export const routingConfigSchema = defineConfig({
  listen: shared.listen('routing'),
  mongodbUri: shared.mongodbUri,
  ...shared.kafka,
  currency: shared.currency,
  ...shared.rpcSecurity,
  sealingKeys: shared.sealingKeys,
  egressAllowedHosts: shared.egressAllowedHosts,
  initChannelType: choice('TOLLGATE_INIT_CHANNEL_TYPE', {
    choices: CHANNEL_TYPES,
    default: 'openai',
    description: 'Protocol of the channel that the first start creates.',
  }),
  initChannelBaseUrl: withVariable(
    url('TOLLGATE_INIT_CHANNEL_BASE_URL', {
      optional: true,
      alternatives: ['OPENAI_BASE_URL'],
      description:
        "Base address of the channel that the first start creates; the type's own vendor unless given.",
    }),
  ),
  initChannelCredential: withVariable(
    secret('TOLLGATE_INIT_CHANNEL_CREDENTIAL', {
      optional: true,
      alternatives: ['OPENAI_API_KEY'],
      description: 'Vendor credential of the channel that the first start creates.',
    }),
  ),
  initChannelModels: parsedList('TOLLGATE_INIT_CHANNEL_MODELS', {
    itemMeaning: 'name:prompt price:completion price',
    parseItem: parseNamedModel,
    printItem: (item: NamedModel) =>
      `${item.name}:${formatAmount(item.promptPrice)}:${formatAmount(item.completionPrice)}`,
    optional: true,
    description: 'Models of the channel that the first start creates, with prices per 1M tokens.',
  }),
  anthropicApiKey: withVariable(
    secret('ANTHROPIC_API_KEY', {
      optional: true,
      description: 'Credential of a channel of Anthropic that the first start creates besides.',
    }),
  ),
  anthropicBaseUrl: url('ANTHROPIC_BASE_URL', {
    optional: true,
    description: 'Address of that channel, without the version; Anthropic unless given.',
  }),
  geminiApiKey: withVariable(
    secret('GEMINI_API_KEY', {
      optional: true,
      alternatives: ['GOOGLE_API_KEY'],
      description: 'Credential of a channel of Gemini that the first start creates besides.',
    }),
  ),
  geminiBaseUrl: url('GOOGLE_GEMINI_BASE_URL', {
    optional: true,
    description: 'Address of that channel, without the version; Google unless given.',
  }),
  initPromptPrice: amount('TOLLGATE_INIT_PROMPT_PRICE', {
    default: '1.00',
    description:
      'Price per 1M prompt tokens of models that the first start finds and knows no list price of.',
  }),
  initCompletionPrice: amount('TOLLGATE_INIT_COMPLETION_PRICE', {
    default: '3.00',
    description:
      'Price per 1M completion tokens of models that the first start finds and knows no list price of.',
  }),
  simulatorBaseUrl: text('TOLLGATE_SIMULATOR_BASE_URL', {
    optional: true,
    description: 'Base address of the simulator that the first channel uses without a vendor.',
  }),
  healthTimeoutMs: integer('TOLLGATE_ROUTING_HEALTH_TIMEOUT_MS', {
    default: 15_000,
    min: 100,
    max: 120_000,
    description:
      'How long a health check waits for the vendor of a channel without a `total_ms` of its own.',
  }),
  probeIntervalMs: integer('TOLLGATE_ROUTING_PROBE_INTERVAL_MS', {
    default: 60_000,
    min: 1_000,
    max: 3_600_000,
    description:
      'How often automatically disabled channels, and failing ones that nobody calls, are tried again; one that stays dead waits up to eight times as long.',
  }),
  healthWriteIntervalMs: integer('TOLLGATE_ROUTING_HEALTH_WRITE_INTERVAL_MS', {
    default: 5_000,
    min: 100,
    max: 60_000,
    description: 'How often observed health is written and pushed.',
  }),
  leaderTtlMs: integer('TOLLGATE_ROUTING_LEADER_TTL_MS', {
    default: 15_000,
    min: 1_000,
    max: LEADER_TTL_MS_MAX,
    description: 'How long a silent leader of the background jobs keeps its lease.',
  }),
  channelsMax: integer('TOLLGATE_ROUTING_CHANNELS_MAX', {
    default: 10_000,
    min: 1,
    max: 100_000,
    description: 'How many channels may exist.',
  }),
  modelsMax: integer('TOLLGATE_ROUTING_MODELS_MAX', {
    default: 5_000,
    min: 1,
    max: 100_000,
    description: 'How many models the catalogue may hold.',
  }),
});

export type RoutingConfig = ConfigOf<typeof routingConfigSchema>;

function parseNamedModel(item: string): NamedModel | undefined {
  // The name may itself hold a colon; the last two parts are the prices.
  const match = /^(.{1,200}):([0-9.]+):([0-9.]+)$/.exec(item);
  if (match === null) return undefined;
  const [, name = '', prompt = '', completion = ''] = match;
  const promptPrice = parseAmount(prompt);
  const completionPrice = parseAmount(completion);
  if (promptPrice === undefined || completionPrice === undefined) return undefined;
  return { name, promptPrice, completionPrice };
}
