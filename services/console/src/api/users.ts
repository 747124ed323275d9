import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api, changePassword } from '../session/session';
import { anonymousApi } from '../session/session-tokens';
import { ApiError } from './api-error';
import { type ListQuery, useChange, useChangeInSteps, useGet, useList, useSend } from './hooks';
import { unwrap } from './queries';
import type { AnyUser, Member, User, UserWithAccount } from './schemas';

const USERS = ['users'] as const;
const MEMBERS = ['members'] as const;
/** What a removal touches: the list alone, because asking for the removed member fails. */
const MEMBER_LIST = [...MEMBERS, 'list'] as const;

/** How often a suspended user is looked at again: let in without another sign-in once active. */
const AGAIN_MS = 30_000;

/**
 * Whether the API refuses everything to the signed-in user, even who they are: their account is
 * suspended.
 */
export function useIsRefused(): boolean {
  const { error } = useQuery({
    queryKey: ['me', 'refused'],
    queryFn: () => unwrap(api.GET('/v1/users/me')),
    refetchInterval: ({ state }) => (state.error === null ? false : AGAIN_MS),
  });
  return error instanceof ApiError && error.status === 403;
}

/** The signed-in user as the server knows it now. */
export function useCurrentUser(): UseQueryResult<User> {
  return useGet(['me'], '/v1/users/me', {});
}

export function useChangePassword() {
  return useChangeInSteps(
    (draft: { current_password: string; new_password: string }) =>
      changePassword(draft.current_password, draft.new_password),
    [['me']],
  );
}

/** Providers with whom people may sign in; asked before anybody is signed in. */
export function useSignInProviders(): UseQueryResult<{ items: { id: string; name: string }[] }> {
  return useQuery({
    queryKey: ['sign-in-providers'],
    queryFn: () => unwrap(anonymousApi.GET('/v1/oauth/providers')),
  });
}

/** The people of the account; somebody with the role member may not list them. */
export function useMembers(enabled = true): ListQuery<Member> {
  return useList(MEMBER_LIST, '/v1/account/members', {}, { enabled });
}

/** The member that the address opens. */
export function useMember(id = ''): UseQueryResult<Member> {
  return useGet(
    [...MEMBERS, 'one', id],
    '/v1/account/members/{id}',
    { path: { id } },
    { enabled: id !== '' },
  );
}

export function useAddMember() {
  return useSend('post', '/v1/account/members', {}, [MEMBERS, USERS]);
}

export function useRemoveMember(id: string) {
  return useSend('delete', '/v1/account/members/{id}', { path: { id } }, [MEMBER_LIST, USERS]);
}

export function useUpdateMember(id: string) {
  return useSend('patch', '/v1/account/members/{id}', { path: { id } }, [MEMBERS, USERS]);
}

/** Sets a new password by the one-time code that an operator told. */
export function useResetPassword() {
  return useChange(
    (body: { code: string; new_password: string }) =>
      anonymousApi.POST('/v1/users/reset-password', { body }),
    [],
  );
}

/** Operators: a one-time code for somebody who forgot the password. */
export function useMakeResetCode(id: string) {
  return useChange(
    () => api.POST('/v1/admin/users/{id}/reset-password', { params: { path: { id } } }),
    [USERS],
  );
}

/** Operators: what may be done with somebody's access. */
export type UserAction = 'disable' | 'enable' | 'end-sessions';

export function useUserAction(id: string) {
  const params = { path: { id } };
  return useChange(
    (action: UserAction) => {
      switch (action) {
        case 'disable':
          return api.POST('/v1/admin/users/{id}/disable', { params });
        case 'enable':
          return api.POST('/v1/admin/users/{id}/enable', { params });
        case 'end-sessions':
          return api.POST('/v1/admin/users/{id}/end-sessions', { params });
      }
    },
    [USERS],
  );
}

/** Operators: users of one account, or of all, and by how the email begins. */
export function useUsers(accountId?: string, email?: string): ListQuery<AnyUser> {
  const search = {
    ...(accountId === undefined ? {} : { account_id: accountId }),
    ...(email === undefined ? {} : { email }),
  };
  return useList([...USERS, search], '/v1/admin/users', { query: search }, { isSearch: true });
}

/** Operators: the user whom the address opens, whether in the list or not. */
export function useOneUser(id = ''): UseQueryResult<UserWithAccount> {
  return useGet(
    [...USERS, 'one', id],
    '/v1/admin/users/{id}',
    { path: { id } },
    { enabled: id !== '' },
  );
}

export function useCreateUser() {
  return useSend('post', '/v1/admin/users', {}, [USERS, ['accounts']]);
}
