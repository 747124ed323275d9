import { randomUUID } from 'node:crypto';
import type { FaultSystem } from '../faults/fault-system';
import {
  addMember,
  createKey,
  type KeyedAccount,
  openAccount,
  openAccountWithKey,
  signIn,
} from '../support/accounts';
import { type Api, type ApiData, createApi } from '../support/api';
import { eventually } from '../support/eventually';
import { CHAT } from '../support/openapi/openapi-fixture';
import { type RestoredAlone, restoredKeys, testEachRestoredAlone } from '../support/restored-alone';

jest.setTimeout(300_000);

/** Few, so that an account reaches them. */
const KEYS_MAX = 4;

let system: FaultSystem;
let operator: Api;

const statusOf = async (answer: Promise<{ readonly status: number }>) => (await answer).status;
const ask = (api: Api) =>
  api.request('POST', '/v1/chat/completions', { body: { ...CHAT, model: 'sim-small' } });
const anybody = () => createApi(system.baseUrl, undefined);

async function apiKeys(): Promise<RestoredAlone> {
  const account = await openAccountWithKey(operator, { credit: '1.00' });
  const deleted = await createKey(account.session);
  let made: typeof deleted;
  return {
    filter: { accountId: account.id },
    async changeAfterCopy() {
      made = await createKey(account.session);
      expect((await ask(made.api)).status).toBe(200);
      expect((await account.session.request('DELETE', `/v1/keys/${deleted.id}`)).status).toBe(200);
      expect((await ask(deleted.api)).status).toBe(401);
    },
    async checkAfterRestore() {
      expect((await ask(account.api)).status).toBe(200);
      expect((await ask(made.api)).status).toBe(401);
      // It was not revoked yesterday.
      expect((await ask(deleted.api)).status).toBe(200);
      const again = await account.session.request('DELETE', `/v1/keys/${deleted.id}`);
      expect(again.status).toBe(200);
      await eventually(
        () => statusOf(ask(deleted.api)),
        (status) => status === 401,
      );
      expect((await ask((await createKey(account.session)).api)).status).toBe(200);
    },
  };
}

async function users(): Promise<RestoredAlone> {
  const { id: accountId, owner } = await openAccount(operator);
  const { email, password } = owner;
  const next = `${password}-of-today`;
  let member: Awaited<ReturnType<typeof addMember>>;
  const logIn = (who: string, by: string) =>
    createApi(system.baseUrl, undefined).request('POST', '/v1/users/login', {
      body: { email: who, password: by },
    });
  return {
    filter: { accountId },
    async changeAfterCopy() {
      member = await addMember(owner.api, 'member');
      const body = { current_password: password, new_password: next };
      expect((await owner.api.request('POST', '/v1/users/password', { body })).status).toBe(200);
    },
    async checkAfterRestore() {
      expect((await logIn(member.email, member.password)).status).toBe(401);
      expect((await logIn(email, next)).status).toBe(401);
      const { api } = await signIn(system.baseUrl, email, password);
      const body = { email: member.email, password: member.password, role: 'member' };
      expect((await api.request('POST', '/v1/account/members', { body })).status).toBe(201);
    },
  };
}

async function accounts(): Promise<RestoredAlone> {
  const old = await openAccountWithKey(operator, { credit: '1.00' });
  let made: KeyedAccount;
  const ids = [old.id];
  return {
    filter: { _id: { $in: ids } },
    async changeAfterCopy() {
      made = await openAccountWithKey(operator, { credit: '1.00' });
      ids.push(made.id);
      const body = { status: 'suspended' };
      await operator.request('PATCH', `/v1/admin/accounts/${old.id}`, { body });
      await eventually(
        () => statusOf(ask(old.api)),
        (status) => status === 403,
      );
    },
    async checkAfterRestore() {
      expect((await ask(old.api)).status).toBe(200);
      // Its people and keys are there and lead nowhere.
      expect((await ask(made.api)).status).toBe(401);
      expect((await operator.request('GET', `/v1/admin/accounts/${made.id}`)).status).toBe(404);
      expect(await statusOf(made.session.request('GET', '/v1/users/me'))).toBe(401);
      const { email, password } = made;
      const login = createApi(system.baseUrl, undefined);
      const body = { email, password };
      expect((await login.request('POST', '/v1/users/login', { body })).status).toBe(401);
    },
  };
}

/** By which names an account is found, of those that it has or had. */
async function names(): Promise<RestoredAlone> {
  const called = `Yesterday ${randomUUID()}`;
  const old = await openAccount(operator);
  const found = async (name: string) => {
    const { items } = await operator.get(`/v1/admin/accounts?name=${encodeURIComponent(name)}`);
    return (items as readonly ApiData[]).map(({ id }) => id);
  };
  const rename = (name: string) =>
    operator.request('PATCH', `/v1/admin/accounts/${old.id}`, { body: { name } });
  const next = `Today ${randomUUID()}`;
  expect((await rename(called)).status).toBe(200);
  return {
    filter: { accountId: old.id },
    async changeAfterCopy() {
      expect((await rename(next)).status).toBe(200);
      expect(await found(next)).toEqual([old.id]);
    },
    async checkAfterRestore() {
      // It is called so, and found by its id; by its name once it was called something else.
      expect(await operator.get(`/v1/admin/accounts/${old.id}`)).toMatchObject({ name: next });
      expect([await found(called), await found(next)]).toEqual([[], []]);
      for (const name of [called, next]) expect((await rename(name)).status).toBe(200);
      expect(await found(next)).toEqual([old.id]);
    },
  };
}

async function quotas(): Promise<RestoredAlone> {
  const low = await openAccount(operator);
  const high = await openAccount(operator);
  const make = (api: Api) => api.request('POST', '/v1/keys', { body: { name: 'one of few' } });
  await createKey(low.owner.api);
  const kept: string[] = [];
  while (kept.length < KEYS_MAX) kept.push((await createKey(high.owner.api)).id);
  return {
    filter: { _id: { $in: [`api-keys ${low.id}`, `api-keys ${high.id}`] } },
    async changeAfterCopy() {
      for (let count = 1; count < KEYS_MAX; count += 1) await createKey(low.owner.api);
      for (const id of kept) {
        expect((await high.owner.api.request('DELETE', `/v1/keys/${id}`)).status).toBe(200);
      }
    },
    async checkAfterRestore() {
      // The keys themselves are counted as well: a number that is too low allows none too many.
      expect((await make(low.owner.api)).status).toBe(409);
      // One that is too high is counted anew, a minute after its last change.
      await eventually(
        () => statusOf(make(high.owner.api)),
        (status) => status === 201,
        90_000,
      );
    },
  };
}

const refresh = (token: string) =>
  anybody().request('POST', '/v1/users/refresh', { body: { refresh_token: token } });
const meOf = (api: Api) => statusOf(api.request('GET', '/v1/users/me'));

async function sessions(): Promise<RestoredAlone> {
  const { owner } = await openAccount(operator);
  const ended = await signIn(system.baseUrl, owner.email, owner.password);
  let made: typeof ended;
  return {
    filter: { userId: owner.userId },
    async changeAfterCopy() {
      expect((await ended.api.request('POST', '/v1/users/logout')).status).toBe(200);
      made = await signIn(system.baseUrl, owner.email, owner.password);
    },
    async checkAfterRestore() {
      // What was ended is open again; what was begun since is over, and begins with a login.
      expect((await refresh(ended.refreshToken)).status).toBe(200);
      expect([await meOf(made.api), (await refresh(made.refreshToken)).status]).toEqual([401, 401]);
      await signIn(system.baseUrl, owner.email, owner.password);
    },
  };
}

async function refreshTokens(): Promise<RestoredAlone> {
  const { owner } = await openAccount(operator);
  const { refreshToken: old } = await signIn(system.baseUrl, owner.email, owner.password);
  let next = '';
  return {
    filter: { userId: owner.userId },
    async changeAfterCopy() {
      const { body } = await refresh(old);
      next = String((body as { readonly data?: ApiData } | undefined)?.data?.refresh_token);
    },
    async checkAfterRestore() {
      expect((await refresh(next)).status).toBe(401);
      // It was not used yesterday: it is no copy.
      expect((await refresh(old)).status).toBe(200);
    },
  };
}

async function keys(): Promise<RestoredAlone> {
  const { owner } = await openAccount(operator);
  return restoredKeys(
    (key) =>
      owner.api.request('POST', '/v1/keys', {
        body: { name: key },
        headers: { 'idempotency-key': key },
      }),
    ({ body }) => String(body?.data?.id),
  );
}

const COLLECTIONS = {
  identity_account_names: names,
  identity_accounts: accounts,
  identity_api_keys: apiKeys,
  identity_idempotency: keys,
  identity_quotas: quotas,
  identity_refresh_tokens: refreshTokens,
  identity_sessions: sessions,
  identity_users: users,
} as const;

testEachRestoredAlone('one collection of identity as it was yesterday, all others of today', {
  collections: COLLECTIONS,
  settings: async () => ({ TOLLGATE_IDENTITY_KEYS_PER_ACCOUNT_MAX: String(KEYS_MAX) }),
  onStarted(started, by) {
    system = started;
    operator = by;
  },
});
