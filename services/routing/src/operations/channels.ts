import {
  AppError,
  type ChannelId,
  createId,
  type Idempotency,
  idPageOf,
  invalid,
  type Page,
  pageByCursor,
  type Sealer,
} from '@tollgate/core';
import {
  type IdempotencyOptions,
  type IdempotentResult,
  retryChange,
  runIdempotently,
} from '@tollgate/mongo';
import {
  type Channel,
  type ChannelView,
  channelViewOf,
  nextUpdateAtMs,
  previewCredential,
  UNKNOWN_HEALTH,
} from '../domain/channel';
import {
  applySettings,
  type ChannelSettings,
  type CompleteSettings,
  checkCredential,
  completeNewSettings,
} from '../domain/channel-settings';
import type {
  ChannelSelection,
  ChannelStore,
  ModelStore,
  RouteLog,
  VendorProbe,
} from '../domain/ports';
import { channelChanged, ownedChannelsChanged } from './route-log';

export interface ChannelOperationsOptions extends IdempotencyOptions {
  readonly channels: ChannelStore;
  readonly models: ModelStore;
  readonly routeLog: RouteLog;
  readonly probe: VendorProbe;
  readonly sealer: Sealer;
  readonly channelsMax: number;
}

/** What operators do with channels. */
export interface ChannelOperations {
  create(
    settings: ChannelSettings,
    idempotency: Idempotency,
  ): Promise<IdempotentResult<ChannelView>>;
  update(id: string, settings: ChannelSettings): Promise<Channel>;
  remove(id: string): Promise<void>;
  /** Removes the channels that belong to the account alone, with their credentials. */
  removeOwnedBy(accountId: string): Promise<void>;
  get(id: string): Promise<Channel>;
  list(limit: number, cursor: string, selection?: ChannelSelection): Promise<Page<Channel>>;
  /** Asks a vendor for its models; throws VALIDATION_ERROR when the address may not be called. */
  discoverModels: VendorProbe['discoverModels'];
}

/** Creates the operations over their ports. */
export function createChannelOperations(options: ChannelOperationsOptions): ChannelOperations {
  const { channels, models, routeLog, probe, sealer, clock } = options;

  const checkReferences = async (settings: CompleteSettings): Promise<void> => {
    await probe.checkAddress(settings.baseUrl);
    const named = settings.models.map(({ name }) => name);
    const known = new Set(await models.findNames(named));
    for (const [index, model] of settings.models.entries()) {
      if (known.has(model.name)) continue;
      throw invalid(
        `models[${index}].name`,
        `The model ${model.name} is not in the catalogue: create it first.`,
      );
    }
  };

  const get = async (id: string): Promise<Channel> => {
    const channel = await channels.find(id);
    if (channel === undefined) throw new AppError('NOT_FOUND');
    return channel;
  };

  const create = async (settings: ChannelSettings, id: ChannelId): Promise<ChannelView> => {
    const complete = completeNewSettings(settings);
    await checkReferences(complete);
    if ((await channels.count()) >= options.channelsMax) {
      throw new AppError('CONFLICT', { publicMessage: 'The largest number of channels exists.' });
    }
    const credential = sealCredential(sealer, id, settings.credential ?? '');
    const channel = newChannel(id, complete, credential, clock.now());
    await channels.insert(channel);
    await routeLog.append(channelChanged(id));
    return channelViewOf(channel);
  };

  const update = (id: string, settings: ChannelSettings): Promise<Channel> => {
    const attempt = async () => {
      const present = await get(id);
      const complete = applySettings(present, settings);
      await checkReferences(complete);
      const channel: Channel = {
        ...present,
        ...complete,
        ...(settings.credential === undefined
          ? {}
          : sealCredential(sealer, present.id, settings.credential)),
        followsSimulator: present.followsSimulator && complete.baseUrl === present.baseUrl,
        autoDisabled: complete.status === 'auto_disabled' ? present.autoDisabled : null,
        updatedAtMs: nextUpdateAtMs(present, clock.now()),
      };
      if (!(await channels.update(channel, present.updatedAtMs))) return undefined;
      await routeLog.append(channelChanged(id));
      return channel;
    };
    return retryChange('channel', attempt);
  };

  return {
    get,
    update,
    create: (settings, idempotency) =>
      runIdempotently<ChannelView, ChannelId>(options, {
        operation: 'create-channel',
        idempotency,
        newEffectId: () => createId('channel'),
        effect: (id) => create(settings, id),
        async findEffect(id) {
          const channel = await channels.find(id);
          if (channel !== undefined) await routeLog.append(channelChanged(id));
          return channel && channelViewOf(channel);
        },
      }),
    async remove(id) {
      const isRemoved = await channels.remove(id);
      // Also of one that is gone: whoever removed it may have failed here.
      await routeLog.append(channelChanged(id));
      if (!isRemoved) throw new AppError('NOT_FOUND');
    },
    async removeOwnedBy(accountId) {
      for (const { id } of await channels.listOwnedBy(accountId)) await channels.remove(id);
      // Also where none is left: an earlier attempt may have failed here.
      await routeLog.append(ownedChannelsChanged(accountId));
      await channels.forgetAnswersAbout(accountId);
    },
    async list(limit, cursor, selection) {
      const page = idPageOf('channel', { limit, cursor });
      const found = await channels.list({ ...page, limit: page.limit + 1 }, selection);
      return pageByCursor(found, page.limit, (last) => last.id);
    },
    async discoverModels(type, baseUrl, credential) {
      await probe.checkAddress(baseUrl);
      return probe.discoverModels(type, baseUrl, credential);
    },
  };
}

/** A channel that did not exist before. */
export function newChannel(
  id: ChannelId,
  settings: CompleteSettings,
  credential: SealedCredential,
  atMs: number,
): Channel {
  return {
    ...settings,
    ...credential,
    id,
    health: UNKNOWN_HEALTH,
    autoDisabled: null,
    followsSimulator: false,
    createdAtMs: atMs,
    updatedAtMs: atMs,
  };
}

type SealedCredential = Pick<Channel, 'sealedCredential' | 'credentialPreview'>;

/** The credential as a channel keeps it: sealed to the channel's id. */
export function sealCredential(
  sealer: Sealer,
  id: ChannelId,
  credential: string,
): SealedCredential {
  const checked = checkCredential(credential);
  return {
    sealedCredential: sealer.seal(checked, id),
    credentialPreview: previewCredential(checked),
  };
}
