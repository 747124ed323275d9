import { AppError, type ChannelId, type Clock, createId, isId, type Sealer } from '@tollgate/core';
import { type Channel, previewCredential, UNKNOWN_HEALTH } from '../domain/channel';
import {
  applySettings,
  type ChannelSettings,
  type CompleteSettings,
  checkCredential,
  completeNewSettings,
} from '../domain/channel-settings';
import type {
  ChannelStore,
  Idempotency,
  ModelStore,
  RouteChanges,
  VendorProbe,
} from '../domain/ports';

/** What the channel operations work with. */
export interface ChannelOperationsOptions {
  readonly channels: ChannelStore;
  readonly models: ModelStore;
  readonly changes: RouteChanges;
  readonly probe: VendorProbe;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly channelsMax: number;
}

/** The operator's commands on channels. */
export interface ChannelOperations {
  create(
    settings: ChannelSettings,
    idempotency?: Idempotency,
  ): Promise<{ readonly channel: Channel; readonly replayed: boolean }>;
  update(id: string, settings: ChannelSettings): Promise<Channel>;
  remove(id: string): Promise<void>;
  get(id: string): Promise<Channel>;
  list(
    limit: number,
    cursor: string,
  ): Promise<{ channels: readonly Channel[]; nextCursor: string }>;
}

const IDEMPOTENCY_MS = 24 * 3600 * 1000;
const LIST_MAX = 200;
const LIST_DEFAULT = 50;
const UPDATE_ATTEMPTS = 5;

/** Creates the operations over their ports. */
export function createChannelOperations(options: ChannelOperationsOptions): ChannelOperations {
  const { channels, models, changes, probe, sealer, clock } = options;

  const checkReferences = async (settings: CompleteSettings): Promise<void> => {
    await probe.checkAddress(settings.baseUrl);
    const known = new Set((await models.listAll()).map((model) => model.name));
    for (const [index, model] of settings.models.entries()) {
      if (known.has(model.name)) continue;
      throw new AppError('VALIDATION_ERROR', {
        param: `models[${index}].name`,
        publicMessage: `The model ${model.name} is not in the catalogue: create it first.`,
      });
    }
  };

  const get = async (id: string): Promise<Channel> => {
    const channel = await channels.get(id);
    if (channel === undefined) throw new AppError('NOT_FOUND');
    return channel;
  };

  const replay = async (idempotency: Idempotency): Promise<Channel | undefined> => {
    const before = await channels.findCreatedBy(idempotency.key);
    if (before === undefined || clock.now() - before.createdAtMs > IDEMPOTENCY_MS) return undefined;
    if (before.bodyDigest !== idempotency.bodyDigest) throw new AppError('IDEMPOTENCY_MISMATCH');
    return before.channel;
  };

  const update = async (id: string, settings: ChannelSettings): Promise<Channel> => {
    for (let attempt = 0; attempt < UPDATE_ATTEMPTS; attempt += 1) {
      const present = await get(id);
      const complete = applySettings(present, settings);
      await checkReferences(complete);
      const channel: Channel = {
        ...present,
        ...complete,
        ...sealed(sealer, present.id, settings.credential),
        followsSimulator: present.followsSimulator && complete.baseUrl === present.baseUrl,
        updatedAtMs: Math.max(clock.now(), present.updatedAtMs + 1),
      };
      if (!(await channels.replace(channel, present.updatedAtMs))) continue;
      await changes.announce(`channel:${id}`);
      return channel;
    }
    throw new AppError('CONFLICT', { publicMessage: 'The channel is being changed by others.' });
  };

  return {
    get,
    update,
    async create(settings, idempotency) {
      if (idempotency !== undefined) {
        const channel = await replay(idempotency);
        if (channel !== undefined) return { channel, replayed: true };
      }
      const complete = completeNewSettings(settings);
      await checkReferences(complete);
      if ((await channels.count()) >= options.channelsMax) {
        throw new AppError('CONFLICT', { publicMessage: 'The largest number of channels exists.' });
      }
      const channel = newChannel(complete, settings.credential ?? '', sealer, clock.now());
      await channels.insert(channel, idempotency);
      await changes.announce(`channel:${channel.id}`);
      return { channel, replayed: false };
    },
    async remove(id) {
      if (!(await channels.delete(id))) throw new AppError('NOT_FOUND');
      await changes.announce(`channel:${id}`);
    },
    async list(limit, cursor) {
      if (cursor !== '' && !isId('channel', cursor)) {
        throw new AppError('VALIDATION_ERROR', {
          param: 'cursor',
          publicMessage: 'cursor must be the next_cursor of an earlier page.',
        });
      }
      const count = limit === 0 ? LIST_DEFAULT : Math.min(limit, LIST_MAX);
      const page = await channels.list(count + 1, cursor === '' ? undefined : cursor);
      const items = page.slice(0, count);
      const nextCursor = page.length > count ? (items.at(-1)?.id ?? '') : '';
      return { channels: items, nextCursor };
    },
  };
}

/** A channel that did not exist before, with its credential sealed to its id. */
export function newChannel(
  settings: CompleteSettings,
  credential: string,
  sealer: Sealer,
  atMs: number,
): Channel {
  const id = createId('channel');
  return {
    ...settings,
    ...sealed(sealer, id, credential),
    id,
    health: UNKNOWN_HEALTH,
    followsSimulator: false,
    createdAtMs: atMs,
    updatedAtMs: atMs,
  };
}

function sealed(sealer: Sealer, id: ChannelId, credential: undefined): Record<string, never>;
function sealed(
  sealer: Sealer,
  id: ChannelId,
  credential: string,
): Pick<Channel, 'sealedCredential' | 'credentialPreview'>;
function sealed(
  sealer: Sealer,
  id: ChannelId,
  credential: string | undefined,
): Partial<Pick<Channel, 'sealedCredential' | 'credentialPreview'>>;
function sealed(
  sealer: Sealer,
  id: ChannelId,
  credential: string | undefined,
): Partial<Pick<Channel, 'sealedCredential' | 'credentialPreview'>> {
  if (credential === undefined) return {};
  const checked = checkCredential(credential);
  return {
    sealedCredential: sealer.seal(checked, id),
    credentialPreview: previewCredential(checked),
  };
}
