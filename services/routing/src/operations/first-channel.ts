import type { ChannelType } from '@tollgate/core';
import {
  AppError,
  type Clock,
  createId,
  formatAmount,
  type Logger,
  type Nano,
  nano,
  type Sealer,
  type UnitPrices,
} from '@tollgate/core';
import type { Channel, ChannelModel } from '../domain/channel';
import { completeNewSettings } from '../domain/channel-settings';
import { listPriceOf } from '../domain/list-prices';
import { isModelName, type Model, type PriceSettings } from '../domain/model';
import type {
  ChannelStore,
  ModelListing,
  ModelStore,
  RouteChangeLog,
  VendorProbe,
} from '../domain/ports';
import { newChannel, sealed } from './channels';

/** The first channel as the environment describes it. */
export interface FirstChannelSettings {
  readonly channelType: ChannelType;
  readonly channelBaseUrl: string | undefined;
  readonly channelCredential: string | undefined;
  readonly channelModels:
    | readonly {
        readonly name: string;
        readonly promptPrice: Nano;
        readonly completionPrice: Nano;
      }[]
    | undefined;
  readonly simulatorBaseUrl: string | undefined;
  /** For models that the vendor lists and nobody priced. */
  readonly promptPrice: Nano;
  readonly completionPrice: Nano;
  /** Vendors' lists have prices in one currency. */
  readonly currency: string;
}

export interface FirstChannelOptions {
  readonly channels: ChannelStore;
  readonly models: ModelStore;
  readonly routeChanges: RouteChangeLog;
  readonly probe: VendorProbe;
  /** Does the work while no other replica does: two that start together would both make one. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface NamedPrices {
  readonly name: string;
  readonly prices: PriceSettings;
}

/** Where a vendor answers, by the protocol that it speaks: a credential goes to its own vendor. */
const VENDOR_BASE_URLS: Readonly<Record<Exclude<ChannelType, 'simulator'>, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  gemini: 'https://generativelanguage.googleapis.com/v1beta',
};
/**
 * What each protocol can say. Nobody knows yet what the models behind the first channel can do: what
 * they cannot their vendor refuses, and the caller is told so.
 */
const CAPABILITIES: Readonly<Record<ChannelType, readonly string[]>> = {
  openai: [
    ...['tools', 'images', 'files', 'response_format', 'n', 'logprobs', 'logit_bias'],
    'reasoning_effort',
  ],
  anthropic: ['tools', 'images', 'files', 'response_format', 'reasoning_effort'],
  gemini: ['tools', 'images', 'files', 'response_format', 'n', 'reasoning_effort'],
  simulator: [],
};
const CONTEXT_LENGTH = 128_000;
const COMPLETION_TOKENS_MAX = 4096;
const VENDOR_MODELS_MAX = 50;
/** Lists of vendors do not tell what makes text from what makes vectors; their names do. */
const EMBEDDING_NAME = /embed/;

/** Two sizes, so that a newcomer sees the routing names choose. Nano-units per 1M tokens. */
const SIMULATED_MODELS: readonly NamedPrices[] = [
  { name: 'sim-small', prices: unitPrices(nano(100_000_000n), nano(400_000_000n)) },
  { name: 'sim-large', prices: unitPrices(nano(2_500_000_000n), nano(10_000_000_000n)) },
];

function unitPrices(prompt: Nano, completion: Nano): UnitPrices {
  return { prompt, completion, cachedPrompt: prompt };
}

/**
 * With no channel yet, makes the first one: the vendor that the environment names, or the
 * simulator. A vendor that is named later takes the simulator's place while that is the only
 * channel; beside other channels it changes nothing, and the log says what to do. At every start
 * a channel that was made for the simulator follows its address. Answers why the vendor that the
 * environment names got no channel, undefined when it has one or none is named.
 */
export async function prepareFirstChannel(
  options: FirstChannelOptions,
  settings: FirstChannelSettings,
): Promise<string | undefined> {
  const present = await options.channels.listAll();
  await followSimulator(options, present, settings.simulatorBaseUrl);
  if (!isNamed(settings) && (present.length > 0 || settings.simulatorBaseUrl === undefined)) {
    return undefined;
  }
  if (present.some(({ followsSimulator }) => followsSimulator !== true)) {
    return followVendor(options, present, settings);
  }
  return options.alone(() => makeFirstChannel(options, settings));
}

function isNamed({ channelBaseUrl, channelCredential }: FirstChannelSettings): boolean {
  return channelBaseUrl !== undefined || channelCredential !== undefined;
}

/** Looks again: another replica may just have made it. */
async function makeFirstChannel(
  options: FirstChannelOptions,
  settings: FirstChannelSettings,
): Promise<string | undefined> {
  const present = await options.channels.listAll();
  if (present.some(({ followsSimulator }) => followsSimulator !== true)) {
    return followVendor(options, present, settings);
  }
  if (isNamed(settings)) {
    return present.length > 0
      ? replaceSimulator(options, settings)
      : createVendorChannel(options, settings);
  }
  if (present.length === 0 && settings.simulatorBaseUrl !== undefined) {
    await options.probe.checkAddress(settings.simulatorBaseUrl);
    await createChannel(options, {
      name: 'simulator',
      type: 'simulator',
      baseUrl: settings.simulatorBaseUrl,
      credential: '',
      models: SIMULATED_MODELS,
      followsSimulator: true,
    });
  }
  return undefined;
}

/**
 * Who answers requests now, for people: `openai, at api.openai.com`. `fault` is why the vendor that
 * the environment names has no channel.
 */
export async function describeVendors(
  channels: Pick<ChannelStore, 'listAll'>,
  fault?: string,
): Promise<string> {
  const enabled = (await channels.listAll()).filter(
    ({ ownerAccountId, status }) => status === 'enabled' && ownerAccountId === null,
  );
  const vendors = enabled.filter(({ type }) => type !== 'simulator');
  const [only] = vendors;
  if (only === undefined) {
    const instead = enabled.length > 0 ? 'the simulator answers' : 'and no channel is enabled';
    return `none, ${instead}${fault === undefined ? '' : ` (${fault})`}`;
  }
  if (vendors.length > 1) return `${vendors.length} channels`;
  return `${only.type}, at ${URL.parse(only.baseUrl)?.host ?? only.baseUrl}`;
}

/** Says what to do when the vendor that the environment names has no channel beside the others. */
function followVendor(
  options: FirstChannelOptions,
  present: readonly Channel[],
  settings: FirstChannelSettings,
): undefined {
  const { logger, sealer } = options;
  const baseUrl = baseUrlOf(settings);
  const own = present.filter((channel) => channel.baseUrl === baseUrl);
  const credential = settings.channelCredential ?? '';
  if (own.some(({ id, sealedCredential }) => sealer.open(sealedCredential, id) === credential)) {
    return;
  }
  logger.warn(
    { baseUrl, channelIds: own.map(({ id }) => id) },
    own.length === 0
      ? 'no channel leads to the vendor that the environment names: ' +
          'only a first start makes one, so create it with POST /v1/admin/channels'
      : 'the vendor credential of the environment is not the one of its channel: ' +
          'only a first start takes it, so change it with PUT /v1/admin/channels/{id}',
  );
}

/** The simulator goes with its models: a catalogue that keeps them offers what nobody serves. */
async function replaceSimulator(
  options: FirstChannelOptions,
  settings: FirstChannelSettings,
): Promise<string | undefined> {
  const { channels, models, routeChanges, logger } = options;
  const fault = await createVendorChannel(options, settings);
  const present = await channels.listAll();
  if (present.every(({ followsSimulator }) => followsSimulator === true)) return fault;
  for (const { id, followsSimulator } of present) {
    if (followsSimulator !== true || !(await channels.remove(id))) continue;
    logger.info({ channelId: id }, 'the simulator is gone: a vendor has its place');
    await routeChanges.append(`channel:${id}`);
  }
  for (const { name } of SIMULATED_MODELS) {
    if (await channels.serves(name)) continue;
    if (await models.remove(name)) await routeChanges.append(`model:${name}`);
  }
  return fault;
}

async function createVendorChannel(
  options: FirstChannelOptions,
  settings: FirstChannelSettings,
): Promise<string | undefined> {
  const baseUrl = baseUrlOf(settings);
  const refuse = (fault: string) => {
    options.logger.warn({ type: settings.channelType, baseUrl }, `no first channel: ${fault}`);
    return fault;
  };
  if (baseUrl === undefined) {
    return refuse('a simulator needs an address; set TOLLGATE_INIT_CHANNEL_BASE_URL');
  }
  const credential = settings.channelCredential ?? '';
  try {
    await options.probe.checkAddress(baseUrl);
  } catch (error) {
    return refuse(addressFault(error, baseUrl));
  }
  const named = settings.channelModels?.map(({ name, promptPrice, completionPrice }) => ({
    name,
    prices: unitPrices(promptPrice, completionPrice),
  }));
  const found =
    named === undefined
      ? await discoverModels(options, settings, baseUrl, credential)
      : { models: named };
  if ('fault' in found) return refuse(found.fault);
  await createChannel(options, {
    name: 'first channel',
    type: settings.channelType,
    baseUrl,
    credential,
    models: found.models,
    followsSimulator: settings.channelType === 'simulator' && baseUrl === settings.simulatorBaseUrl,
  });
  return undefined;
}

/** Undefined for a simulator that has no address. */
function baseUrlOf(settings: FirstChannelSettings): string | undefined {
  const { channelType, channelBaseUrl, simulatorBaseUrl } = settings;
  if (channelBaseUrl !== undefined) return channelBaseUrl;
  return channelType === 'simulator' ? simulatorBaseUrl : VENDOR_BASE_URLS[channelType];
}

/** The names of settings as the person who starts with a vendor of this protocol writes them. */
function namesOfSettings(type: ChannelType) {
  return type === 'openai'
    ? { address: 'OPENAI_BASE_URL', credential: 'OPENAI_API_KEY' }
    : {
        address: 'TOLLGATE_INIT_CHANNEL_BASE_URL',
        credential: 'TOLLGATE_INIT_CHANNEL_CREDENTIAL',
      };
}

/** Why the address may not be called, and what to do about it. */
function addressFault(error: unknown, baseUrl: string): string {
  if (!(error instanceof AppError)) throw error;
  const host = URL.parse(baseUrl)?.hostname ?? '';
  if (host === '') return error.publicMessage;
  return (
    `${host} is private or has no address: ` +
    `a private one is allowed by TOLLGATE_EGRESS_ALLOWED_HOSTS=${host}`
  );
}

/** Why there is no list, and what to do about it. */
function listingFault(
  { error, httpStatus }: ModelListing,
  type: ChannelType,
  baseUrl: string,
): string {
  const names = namesOfSettings(type);
  const instead = 'or set TOLLGATE_INIT_CHANNEL_MODELS';
  if (httpStatus === null) {
    return `${URL.parse(baseUrl)?.host} does not answer: check ${names.address}, ${instead}`;
  }
  if (httpStatus === 401 || httpStatus === 403) {
    return `the vendor answered ${httpStatus}: check ${names.credential}`;
  }
  if (httpStatus === 200 && error === '') {
    return 'the vendor lists no model that can be named here; set TOLLGATE_INIT_CHANNEL_MODELS';
  }
  const answered = httpStatus === 200 ? 'without a list of models' : String(httpStatus);
  return `the vendor answered ${answered}: check ${names.address}, ${instead}`;
}

async function discoverModels(
  options: FirstChannelOptions,
  settings: FirstChannelSettings,
  baseUrl: string,
  credential: string,
): Promise<{ readonly models: readonly NamedPrices[] } | { readonly fault: string }> {
  const { channelType, currency } = settings;
  const listing = await options.probe.listModels(channelType, baseUrl, credential);
  const names = listing.names.filter(isModelName).slice(0, VENDOR_MODELS_MAX);
  if (names.length === 0) return { fault: listingFault(listing, channelType, baseUrl) };
  const unknown: PriceSettings = {
    ...unitPrices(settings.promptPrice, settings.completionPrice),
    source: 'default',
  };
  const models = names.map((name) => ({ name, prices: listPriceOf(name, currency) ?? unknown }));
  const unpriced = models.filter(({ prices }) => prices === unknown).map(({ name }) => name);
  if (unpriced.length > 0) {
    options.logger.warn(
      { models: unpriced },
      `${unpriced.length} models of the vendor have no known price and got the default of ` +
        `${formatAmount(unknown.prompt)} and ${formatAmount(unknown.completion)} ${currency} for 1M ` +
        'tokens: set their prices before you sell them (console, Models; PATCH /v1/admin/models/{name})',
    );
  }
  return { models };
}

async function createChannel(
  options: FirstChannelOptions,
  first: {
    readonly name: string;
    readonly type: ChannelType;
    readonly baseUrl: string;
    readonly credential: string;
    readonly models: readonly NamedPrices[];
    /** It leads to the simulator of this process, whose address changes with a start. */
    readonly followsSimulator: boolean;
  },
): Promise<void> {
  const { channels, models, routeChanges, sealer, clock, logger } = options;
  for (const { name, prices } of first.models) {
    await models.insert(toFirstModel(name, prices, first.type, clock.now()));
  }
  const served: readonly ChannelModel[] = first.models.map(({ name }) => ({
    name,
    upstreamName: name,
  }));
  const complete = completeNewSettings({
    name: first.name,
    type: first.type,
    baseUrl: first.baseUrl,
    models: served,
    capabilities: CAPABILITIES[first.type],
  });
  const id = createId('channel');
  const credential = sealed(sealer, id, first.credential);
  const channel = newChannel(id, complete, credential, clock.now());
  await channels.insert({ ...channel, followsSimulator: first.followsSimulator });
  await routeChanges.append(`channel:${channel.id}`);
  logger.info({ channelId: channel.id, type: channel.type }, 'first channel created');
}

function toFirstModel(name: string, prices: PriceSettings, type: string, atMs: number): Model {
  return {
    name,
    kind: EMBEDDING_NAME.test(name) ? 'embedding' : 'chat',
    description: type === 'simulator' ? 'Simulated answers for a first look and for tests.' : '',
    contextLength: CONTEXT_LENGTH,
    maxCompletionTokens: COMPLETION_TOKENS_MAX,
    capabilities: [],
    ownedBy: type,
    createdAtMs: atMs,
    prices: [{ ...prices, version: 1, effectiveAtMs: atMs }],
  };
}

async function followSimulator(
  options: FirstChannelOptions,
  present: readonly Channel[],
  simulatorBaseUrl: string | undefined,
): Promise<void> {
  if (simulatorBaseUrl === undefined) return;
  for (const channel of present) {
    if (!channel.followsSimulator || channel.baseUrl === simulatorBaseUrl) continue;
    const updatedAtMs = Math.max(options.clock.now(), channel.updatedAtMs + 1);
    const moved = { ...channel, baseUrl: simulatorBaseUrl, updatedAtMs };
    if (!(await options.channels.update(moved, channel.updatedAtMs))) continue;
    await options.routeChanges.append(`channel:${channel.id}`);
  }
}
