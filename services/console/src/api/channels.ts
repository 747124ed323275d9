import type { UseQueryResult } from '@tanstack/react-query';
import { api } from '../session/session';
import { useDeletedName } from './audit-log';
import { type ListQuery, useChange, useGet, useList, useSend } from './hooks';
import { FOR_NAMES, isGone, liveIn } from './queries';
import type { Channel, NewChannel } from './schemas';

const CHANNELS = ['channels'] as const;
/** What a deletion touches: the list alone, because asking for the deleted thing fails. */
const LIST = [...CHANNELS, 'list'] as const;
/** Every change of a channel may make models available or not. */
const TOUCHED = [CHANNELS, ['models']];

export function useChannels(): ListQuery<Channel> {
  return useList(LIST, '/v1/admin/channels', {}, { live: true });
}

export function useChannel(id: string): UseQueryResult<Channel> {
  return useGet(
    [...CHANNELS, 'one', id],
    '/v1/admin/channels/{id}',
    { path: { id } },
    { refetchInterval: ({ state }) => liveIn(state) },
  );
}

/**
 * What a channel is called, or was when it was deleted; its record is read where the first page of
 * channels does not have it, once the name is seen.
 */
export function useChannelName(
  id: string,
  isSeen = true,
): {
  /** Undefined while nothing tells it. */
  readonly name: string | undefined;
  readonly isDeleted: boolean;
} {
  // A name in each row of a list needs no clock of its own.
  const listed = useList(LIST, '/v1/admin/channels', {}, { isForNames: true });
  const known = listed.data?.find((one) => one.id === id)?.name;
  const one = useGet(
    [...CHANNELS, 'one', id],
    '/v1/admin/channels/{id}',
    { path: { id } },
    { enabled: isSeen && known === undefined && !listed.isPending, ...FOR_NAMES },
  );
  const isDeleted = known === undefined && isGone(one.error);
  const before = useDeletedName('DELETE /v1/admin/channels/{id}', id, isDeleted);
  return { name: known ?? one.data?.name ?? before, isDeleted };
}

export function useCreateChannel() {
  return useSend('post', '/v1/admin/channels', {}, TOUCHED);
}

/** Asks a vendor which models it has, before there is a channel; nothing is kept. */
export function useDiscoverModels() {
  return useChange(
    ({ type, base_url, credential }: NewChannel) =>
      api.POST('/v1/admin/channels/discover', {
        body: { type, base_url, ...(credential === undefined ? {} : { credential }) },
      }),
    [],
  );
}

export function useUpdateChannel(id: string) {
  return useSend('patch', '/v1/admin/channels/{id}', { path: { id } }, TOUCHED);
}

export function useDeleteChannel(id: string) {
  return useSend('delete', '/v1/admin/channels/{id}', { path: { id } }, [LIST, ['models']]);
}

/** Asks the channel for a short answer, which is charged to nobody. */
export function useCheckChannel(id: string) {
  return useChange(
    (model: string | undefined) =>
      api.POST('/v1/admin/channels/{id}/health', {
        params: { path: { id } },
        body: model === undefined ? {} : { model },
      }),
    [CHANNELS],
  );
}
