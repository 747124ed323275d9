import {
  type AccountId,
  CHANNEL_TYPES,
  type ChannelId,
  type Clock,
  createId,
  type Logger,
} from '@tollgate/core';
import {
  afterId,
  documentsOf,
  forgetAnswers,
  type MongoStore,
  type SealedMember,
} from '@tollgate/mongo';
import type { AutoDisabled, Channel, ChannelHealth, ChannelModel } from '../domain/channel';
import type {
  ChannelOutbox,
  ChannelOutboxItem,
  ChannelSelection,
  ChannelStore,
  RecordedCheck,
} from '../domain/ports';
import { COLLECTIONS } from './collections';
import { readEach } from './read-each';

interface ChannelDocument extends Omit<Channel, 'id' | 'autoDisabled'> {
  readonly _id: string;
  /** `autoDisabled` under its released name. */
  readonly selfDisabled: AutoDisabled | null;
  readonly lastCheck?: RecordedCheck;
  readonly outbox: ChannelOutboxItem['events'];
}

/** Where the credentials of vendors are. */
export const SEALED_CREDENTIALS: SealedMember = {
  collection: COLLECTIONS.channels,
  member: 'sealedCredential',
  recordOf: (channelId) => channelId,
};

const SELECTED: Readonly<Record<ChannelSelection, Readonly<Record<string, unknown>>>> = {
  all: {},
  shared: { ownerAccountId: null },
  'owned-auto-disabled': { status: 'auto_disabled', ownerAccountId: { $ne: null } },
};

/**
 * Channels in the collection `channels`, each with its events that wait to be published. `listAll`,
 * which is for whoever calls them, leaves out what cannot be served, such as one without models.
 */
export function createChannelStore(
  mongo: MongoStore,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): ChannelStore & ChannelOutbox {
  const documents = documentsOf<ChannelDocument>(mongo, COLLECTIONS.channels);
  const one = async (filter: Record<string, unknown>): Promise<Channel | undefined> => {
    const found = await documents.find(filter);
    return found && fromDocument(found);
  };
  return {
    find: (id) => one({ _id: id }),
    async insert(channel) {
      await documents.insertOrReject({ ...toDocument(channel), outbox: [] });
    },
    async list({ after, limit }, selection = 'all') {
      const filter = { ...SELECTED[selection], ...afterId(after) };
      const found = await documents.list(filter, { sort: { _id: 1 }, limit });
      return found.map(fromDocument);
    },
    async listAll() {
      const found = await documents.list({}, { sort: { _id: 1 } });
      const read = (document: ChannelDocument) => requireServable(fromDocument(document));
      return readEach(found, read, (channelId, error) => {
        logger.error({ channelId, error }, 'a channel is left out: its document makes no sense');
      });
    },
    async listHealth(ids) {
      const filter = ids === 'all' ? {} : { _id: { $in: [...ids] } };
      const found = await documents.list(filter, { projection: { health: 1 }, sort: { _id: 1 } });
      return new Map(found.map(({ _id, health }) => [_id, health]));
    },
    async listOwnedBy(ownerAccountId) {
      const found = await documents.list({ ownerAccountId: ownerAccountId as AccountId });
      return found.map(fromDocument);
    },
    forgetAnswersAbout: (ownerAccountId) =>
      forgetAnswers(mongo, COLLECTIONS.idempotency, { 'answer.ownerAccountId': ownerAccountId }),
    count: () => documents.count({}),
    update(channel, expectedUpdatedAtMs, { event, check, health } = {}) {
      // Observations of calls write health meanwhile.
      const { _id, health: _, ...fields } = toDocument(channel);
      const about = { id: createId('event'), atMs: clock.now() };
      const push = event === undefined ? {} : { $push: { outbox: { ...event, ...about } } };
      const $set = { ...fields, ...toLastCheck(check), ...(health && { health }) };
      return documents.update({ _id, updatedAtMs: expectedUpdatedAtMs }, { $set, ...push });
    },
    async writeHealth(id: string, health: ChannelHealth, check) {
      const { recoveredAtMs } = health;
      const since = check === undefined ? { 'health.recoveredAtMs': recoveredAtMs } : {};
      await documents.update({ _id: id, ...since }, { $set: { health, ...toLastCheck(check) } });
    },
    async findCheck(id, checkId) {
      const found = await documents.find({ _id: id, 'lastCheck.id': checkId });
      if (found?.lastCheck === undefined) return undefined;
      const { id: _, ...check } = found.lastCheck;
      return check;
    },
    remove: (id) => documents.remove({ _id: id }),
    serves: async (model) => (await one({ 'models.name': model })) !== undefined,
    async listOutbox({ after, limit }) {
      const filter = { ...afterId(after), 'outbox.id': { $exists: true } };
      const found = await documents.list(filter, { sort: { _id: 1 }, limit });
      return found.map((document) => ({
        id: document._id,
        channel: fromDocument(document),
        events: document.outbox,
      }));
    },
    async removeFromOutbox(items) {
      for (const { id: _id, events } of items) {
        const published = { id: { $in: events.map(({ id }) => id) } };
        await documents.update({ _id }, { $pull: { outbox: published } });
      }
    },
  };
}

function toLastCheck(
  lastCheck: RecordedCheck | undefined,
): Partial<Pick<ChannelDocument, 'lastCheck'>> {
  return lastCheck === undefined ? {} : { lastCheck };
}

/** Without what only the store knows. */
function toDocument({
  id,
  autoDisabled,
  ...fields
}: Channel): Omit<ChannelDocument, 'outbox' | 'lastCheck'> {
  return { _id: id, selfDisabled: autoDisabled, ...fields };
}

function fromDocument(document: ChannelDocument): Channel {
  const { _id, lastCheck: _, outbox: __, selfDisabled: autoDisabled, ...fields } = document;
  return {
    ...fields,
    autoDisabled,
    id: _id as ChannelId,
    ownerAccountId: fields.ownerAccountId as AccountId | null,
  };
}

/** A table of routes with such a channel could not be built, or would let everybody use it. */
function requireServable(channel: Channel): Channel {
  const { groups, health, models, ownerAccountId, type } = channel;
  const isNamed = (model: ChannelModel | null) => typeof model?.name === 'string';
  // Every version wrote the owner, null for nobody: without it the channel may be an account's own.
  if (ownerAccountId !== null && typeof ownerAccountId !== 'string') {
    throw new TypeError('it does not say whose it is');
  }
  if (!Array.isArray(models) || !models.every(isNamed)) throw new TypeError('it has no models');
  if (!Array.isArray(groups)) throw new TypeError('it has no groups');
  if (!Array.isArray(health.models)) throw new TypeError('it has no health of models');
  if (!CHANNEL_TYPES.includes(type)) throw new TypeError('it has no type that is known');
  return channel;
}
