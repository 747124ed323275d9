import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { anonymousApi } from '../session/session-tokens';
import { unwrap } from './client';

/** Where people may sign in elsewhere; asked before anybody is signed in. */
export function useSignInProviders(): UseQueryResult<{ items: { id: string; name: string }[] }> {
  return useQuery({
    queryKey: ['sign-in-providers'],
    queryFn: () => unwrap(anonymousApi.GET('/v1/oauth/providers')),
  });
}
