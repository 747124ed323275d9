import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api } from '../session/session';
import { type ListQuery, pageQuery, unwrap, useChange, useList } from './queries';
import type { Channel, ChannelChanges, NewChannel } from './schemas';

const CHANNELS = ['channels'] as const;
/** What a deletion touches: the list alone, because asking for the deleted thing fails. */
const LIST = [...CHANNELS, 'list'] as const;
/** Every change of a channel may make models available or not. */
const TOUCHED = [CHANNELS, ['models']];

export function useChannels(): ListQuery<Channel> {
  return useList({
    key: LIST,
    live: true,
    load: (cursor) => api.GET('/v1/admin/channels', { params: { query: pageQuery(cursor) } }),
  });
}

export function useChannel(id: string): UseQueryResult<Channel> {
  return useQuery({
    queryKey: [...CHANNELS, 'one', id],
    queryFn: () => unwrap(api.GET('/v1/admin/channels/{id}', { params: { path: { id } } })),
  });
}

export function useCreateChannel() {
  return useChange((body: NewChannel) => api.POST('/v1/admin/channels', { body }), TOUCHED);
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
  return useChange(
    (body: ChannelChanges) =>
      api.PATCH('/v1/admin/channels/{id}', { params: { path: { id } }, body }),
    TOUCHED,
  );
}

export function useDeleteChannel(id: string) {
  return useChange(
    () => api.DELETE('/v1/admin/channels/{id}', { params: { path: { id } } }),
    [LIST, ['models']],
  );
}

/** Asks the channel for one token, which is charged to nobody. */
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
