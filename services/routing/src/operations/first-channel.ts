import type { ChannelType } from '@tollgate/core';
import { type Clock, createId, type Logger, type Sealer } from '@tollgate/core';
import { type Channel, nextUpdateAtMs } from '../domain/channel';
import { completeNewSettings } from '../domain/channel-settings';
import type { ChannelStore, ModelStore, RouteLog, VendorProbe } from '../domain/ports';
import { newChannel, sealCredential } from './channels';
import {
  type DefaultPrice,
  type FirstModel,
  SIMULATED_MODELS,
  toFirstModel,
  toListedModels,
  toNamedModels,
} from './first-models';
import { addressFault, type FirstVendor, isSameVendor, listingFault } from './first-vendors';
import { channelChanged, modelChanged } from './route-log';

/** The first channels as the environment describes them. */
export interface FirstChannelSettings {
  readonly vendors: readonly FirstVendor[];
  readonly simulatorBaseUrl: string | undefined;
  /** For models that a vendor lists and nobody priced. */
  readonly defaultPrice: DefaultPrice;
}

export interface FirstChannelOptions {
  readonly channels: ChannelStore;
  readonly models: ModelStore;
  readonly routeLog: RouteLog;
  readonly probe: VendorProbe;
  /** Does the work while no other replica does: two that start together would both make one. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * What each protocol can say. Nobody knows yet what the models behind the first channel can do: what
 * they cannot their vendor refuses, and the client is told so.
 */
const CAPABILITIES: Readonly<Record<ChannelType, readonly string[]>> = {
  openai: [
    'tools',
    'images',
    'files',
    'response_format',
    'n',
    'logprobs',
    'logit_bias',
    'reasoning_effort',
  ],
  anthropic: ['tools', 'images', 'files', 'response_format', 'reasoning_effort'],
  gemini: ['tools', 'images', 'files', 'response_format', 'n', 'reasoning_effort'],
  simulator: [],
};

/**
 * With no channel yet, makes the first ones: of the vendors that the environment names, or else of the
 * simulator, also when none of those can be asked. Vendors that are named later take the simulator's
 * place while that is the only channel; beside other channels they change nothing, and the log says
 * what to do. At every start a channel that was made for the simulator follows its address. Returns
 * why vendors got no channel that this start tried to make, undefined otherwise.
 */
export async function prepareFirstChannel(
  options: FirstChannelOptions,
  settings: FirstChannelSettings,
): Promise<string | undefined> {
  const { simulatorBaseUrl, vendors } = settings;
  const present = await options.channels.listAll();
  await followSimulator(options, present, simulatorBaseUrl);
  if (vendors.length === 0 && (present.length > 0 || simulatorBaseUrl === undefined)) {
    return undefined;
  }
  if (present.some(({ followsSimulator }) => !followsSimulator)) {
    warnOfVendorsWithoutChannel(options, present, settings);
    return undefined;
  }
  return options.alone(() => makeFirstChannels(options, settings));
}

/** Looks again: another replica may just have made them. */
async function makeFirstChannels(
  options: FirstChannelOptions,
  settings: FirstChannelSettings,
): Promise<string | undefined> {
  const { simulatorBaseUrl, vendors } = settings;
  const present = await options.channels.listAll();
  if (present.some(({ followsSimulator }) => !followsSimulator)) {
    warnOfVendorsWithoutChannel(options, present, settings);
    return undefined;
  }
  const faults: string[] = [];
  for (const vendor of vendors) {
    const fault = await createVendorChannel(options, settings, vendor);
    if (fault !== undefined) faults.push(fault);
  }
  if (faults.length < vendors.length) await removeSimulator(options);
  else if (present.length === 0 && simulatorBaseUrl !== undefined) {
    await createSimulatorChannel(options, simulatorBaseUrl);
  }
  return faults.length === 0 ? undefined : faults.join('; ');
}

async function createSimulatorChannel(
  options: FirstChannelOptions,
  baseUrl: string,
): Promise<void> {
  await options.probe.checkAddress(baseUrl);
  await createChannel(options, {
    name: 'simulator',
    type: 'simulator',
    baseUrl,
    credential: '',
    models: SIMULATED_MODELS,
    followsSimulator: true,
  });
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
  const why = fault === undefined ? '' : ` (${fault})`;
  const [only] = vendors;
  if (only === undefined) {
    const instead = enabled.length > 0 ? 'the simulator answers' : 'and no channel is enabled';
    return `none, ${instead}${why}`;
  }
  if (vendors.length > 1) return `${vendors.length} channels${why}`;
  return `${only.type}, at ${URL.parse(only.baseUrl)?.host ?? only.baseUrl}${why}`;
}

/** Says what to do when a vendor that the environment names has no channel beside the others. */
function warnOfVendorsWithoutChannel(
  { logger, sealer }: FirstChannelOptions,
  present: readonly Channel[],
  { vendors }: FirstChannelSettings,
): void {
  for (const vendor of vendors) {
    const { baseUrl, credential = '' } = vendor;
    const own = present.filter((channel) => isSameVendor(channel, vendor));
    if (own.some((channel) => hasCredential(sealer, channel, credential))) continue;
    logger.warn(
      { baseUrl, channelIds: own.map(({ id }) => id) },
      own.length === 0
        ? 'no channel leads to the vendor that the environment names: ' +
            'only a first start makes one, so create it with POST /v1/admin/channels'
        : 'the vendor credential of the environment is not the one of its channel: ' +
            'only a first start takes it, so change it with PATCH /v1/admin/channels/{id}',
    );
  }
}

/** False also when it cannot be opened any more: that is told where the route table is built. */
function hasCredential(
  sealer: Sealer,
  { id, sealedCredential }: Channel,
  credential: string,
): boolean {
  try {
    return sealer.open(sealedCredential, id) === credential;
  } catch {
    return false;
  }
}

/** The simulator goes with its models: a catalogue that keeps them offers what nobody serves. */
async function removeSimulator(options: FirstChannelOptions): Promise<void> {
  const { channels, models, routeLog, logger } = options;
  const present = await channels.listAll();
  if (present.every(({ followsSimulator }) => followsSimulator)) return;
  const followers = present.filter(({ followsSimulator }) => followsSimulator);
  if (followers.length === 0) return;
  for (const { id } of followers) {
    if (!(await channels.remove(id))) continue;
    logger.info({ channelId: id }, 'the simulator is gone: a vendor has its place');
    await routeLog.append(channelChanged(id));
  }
  for (const { name } of SIMULATED_MODELS) {
    if (await channels.serves(name)) continue;
    if (await models.remove(name)) await routeLog.append(modelChanged(name));
  }
}

async function createVendorChannel(
  options: FirstChannelOptions,
  { defaultPrice, simulatorBaseUrl }: FirstChannelSettings,
  vendor: FirstVendor,
): Promise<string | undefined> {
  const { logger, probe } = options;
  const { name, type, baseUrl, credential = '' } = vendor;
  const refuse = (fault: string) => {
    logger.warn({ type, baseUrl }, `no first channel: ${fault}`);
    return fault;
  };
  if (baseUrl === undefined) {
    return refuse('a simulator needs an address; set TOLLGATE_INIT_CHANNEL_BASE_URL');
  }
  try {
    await probe.checkAddress(baseUrl);
  } catch (error) {
    return refuse(addressFault(error, baseUrl));
  }
  let models: readonly FirstModel[];
  if (vendor.models === undefined) {
    const listing = await probe.discoverModels(type, baseUrl, credential);
    models = toListedModels(listing.models, defaultPrice, logger);
    if (models.length === 0) return refuse(listingFault(listing, vendor, baseUrl));
  } else {
    models = toNamedModels(vendor.models);
  }
  const followsSimulator = type === 'simulator' && baseUrl === simulatorBaseUrl;
  await createChannel(options, { name, type, baseUrl, credential, models, followsSimulator });
  return undefined;
}

async function createChannel(
  options: FirstChannelOptions,
  first: {
    readonly name: string;
    readonly type: ChannelType;
    readonly baseUrl: string;
    readonly credential: string;
    readonly models: readonly FirstModel[];
    /** It leads to the simulator of this process, whose address changes with a start. */
    readonly followsSimulator: boolean;
  },
): Promise<void> {
  const { channels, models, routeLog, sealer, clock, logger } = options;
  for (const model of first.models) {
    await models.insert(toFirstModel(model, first.type, clock.now()));
  }
  const served = first.models.map(({ name, upstreamName }) => ({ name, upstreamName }));
  const complete = completeNewSettings({
    name: first.name,
    type: first.type,
    baseUrl: first.baseUrl,
    models: served,
    capabilities: CAPABILITIES[first.type],
  });
  const id = createId('channel');
  const credential = sealCredential(sealer, id, first.credential);
  const channel = newChannel(id, complete, credential, clock.now());
  await channels.insert({ ...channel, followsSimulator: first.followsSimulator });
  await routeLog.append(channelChanged(channel.id));
  logger.info({ channelId: channel.id, type: channel.type }, 'first channel created');
}

async function followSimulator(
  options: FirstChannelOptions,
  present: readonly Channel[],
  simulatorBaseUrl: string | undefined,
): Promise<void> {
  if (simulatorBaseUrl === undefined) return;
  for (const channel of present) {
    if (!channel.followsSimulator || channel.baseUrl === simulatorBaseUrl) continue;
    const updatedAtMs = nextUpdateAtMs(channel, options.clock.now());
    const moved = { ...channel, baseUrl: simulatorBaseUrl, updatedAtMs };
    if (!(await options.channels.update(moved, channel.updatedAtMs))) continue;
    await options.routeLog.append(channelChanged(channel.id));
  }
}
