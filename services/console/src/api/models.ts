import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api } from '../session/session';
import { unwrap } from './client';
import type { Model } from './schemas';

const MODELS = ['models'] as const;

/** What the account may ask for, routing names included. */
export function useModels(): UseQueryResult<readonly Model[]> {
  return useQuery({
    queryKey: [...MODELS, 'offered'],
    queryFn: async () => (await unwrap(api.GET('/v1/llm/models'))).data,
  });
}
