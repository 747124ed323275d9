import { type Api, createApi } from './api';

/** Somebody who is signed in. */
export interface SignedIn {
  readonly email: string;
  readonly password: string;
  readonly userId: string;
  /** Calls with the access token. */
  readonly api: Api;
}

/** An account with its owner. */
export interface OpenedAccount {
  readonly id: string;
  readonly owner: SignedIn;
}

let count = 0;

/** A new account on the plan, with credit when an amount is given, and its owner signed in. */
export async function openAccount(
  operator: Api,
  options: { readonly plan?: string; readonly credit?: string } = {},
): Promise<OpenedAccount> {
  count += 1;
  const email = `owner${count}@accounts.test`;
  const password = `password-of-owner-${count}`;
  const account = await operator.post('/v1/admin/accounts', {
    name: `Account ${count}`,
    plan: options.plan ?? 'enterprise',
    owner: { email, password, display_name: 'Owner' },
  });
  const id = String(account.id);
  if (options.credit !== undefined) {
    const body = { amount: options.credit };
    const headers = { 'idempotency-key': `credit-${id}` };
    await operator.post(`/v1/admin/accounts/${id}/credits`, body, headers);
  }
  return { id, owner: await signIn(operator.baseUrl, email, password) };
}

/** Adds somebody to the account of the one who asks, and signs them in. */
export async function addMember(owner: Api, role: 'admin' | 'member'): Promise<SignedIn> {
  count += 1;
  const email = `${role}${count}@accounts.test`;
  const password = `password-of-${role}-${count}`;
  await owner.post('/v1/account/members', { email, password, role });
  return signIn(owner.baseUrl, email, password);
}

/** Signs in by email and password. */
export async function signIn(baseUrl: string, email: string, password: string): Promise<SignedIn> {
  const anyone = createApi(baseUrl, undefined);
  const session = await anyone.post('/v1/users/login', { email, password });
  const { id } = session.user as { readonly id: string };
  const api = createApi(baseUrl, String(session.access_token));
  return { email, password, userId: id, api };
}

/** A new key made by the one who asks, ready to call with. */
export async function createKey(
  api: Api,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly id: string; readonly secret: string; readonly api: Api }> {
  const { id, key } = await api.post('/v1/keys', { name: 'test', ...settings });
  return { id: String(id), secret: String(key), api: createApi(api.baseUrl, String(key)) };
}
