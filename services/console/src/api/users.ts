import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api } from '../session/session';
import { anonymousApi } from '../session/session-tokens';
import { unwrap } from './client';
import { type ListQuery, pageQuery, useChange, useList } from './queries';
import type { AnyUser, Member, NewMember, NewUser, User } from './schemas';

const USERS = ['users'] as const;
const MEMBERS = ['members'] as const;

/** The signed-in user as the server knows it now. */
export function useCurrentUser(): UseQueryResult<User> {
  return useQuery({
    queryKey: ['me'],
    queryFn: () => unwrap(api.GET('/v1/users/me')),
  });
}

export function useChangePassword() {
  return useChange(
    (body: { current_password: string; new_password: string }) =>
      unwrap(api.POST('/v1/users/password', { body })),
    [],
  );
}

/** Where people may sign in elsewhere; asked before anybody is signed in. */
export function useSignInProviders(): UseQueryResult<{ items: { id: string; name: string }[] }> {
  return useQuery({
    queryKey: ['sign-in-providers'],
    queryFn: () => unwrap(anonymousApi.GET('/v1/oauth/providers')),
  });
}

export function useMembers(): ListQuery<Member> {
  return useList({
    key: MEMBERS,
    load: (cursor) =>
      unwrap(api.GET('/v1/account/members', { params: { query: pageQuery(cursor) } })),
  });
}

export function useAddMember() {
  return useChange(
    (body: NewMember) => unwrap(api.POST('/v1/account/members', { body })),
    [MEMBERS, USERS],
  );
}

export function useRemoveMember(id: string) {
  return useChange(
    () => unwrap(api.DELETE('/v1/account/members/{id}', { params: { path: { id } } })),
    [MEMBERS, USERS],
  );
}

/** Operators: users of one account, or of all. */
export function useUsers(accountId?: string): ListQuery<AnyUser> {
  const account = accountId === undefined ? {} : { account_id: accountId };
  return useList({
    key: [...USERS, account],
    load: (cursor) =>
      unwrap(
        api.GET('/v1/admin/users', { params: { query: { ...pageQuery(cursor), ...account } } }),
      ),
  });
}

export function useCreateUser() {
  return useChange(
    (body: NewUser) => unwrap(api.POST('/v1/admin/users', { body })),
    [USERS, ['accounts']],
  );
}
