import { type Api, createApi, toNano } from './api';

/** Somebody who is signed in. */
export interface SignedIn {
  readonly email: string;
  readonly password: string;
  readonly userId: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Calls with the access token. */
  readonly api: Api;
}

/** An account with its owner. */
export interface OpenedAccount {
  readonly id: string;
  readonly owner: SignedIn;
}

/** An account as programs use it: its owner's session and one key with the default scopes. */
export interface KeyedAccount {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly keyId: string;
  readonly apiKey: string;
  /** Calls with the access token. */
  readonly session: Api;
  /** Calls with the API key. */
  readonly api: Api;
}

/** What a new account is made with; what is absent is chosen. */
export interface NewAccount {
  /** Also the local part of its owner's email. */
  readonly name?: string;
  readonly plan?: string;
  /** No credit when absent. */
  readonly credit?: string | undefined;
  readonly password?: string;
  /** With it the account is opened once, however often it is asked for. */
  readonly idempotencyKey?: string;
}

let count = 0;

/** A new account on the plan, with credit when an amount is given, and its owner signed in. */
export async function openAccount(operator: Api, wanted: NewAccount = {}): Promise<OpenedAccount> {
  count += 1;
  const { name = `owner${count}`, plan = 'enterprise', credit: amount } = wanted;
  const email = `${name}@accounts.test`;
  const password = wanted.password ?? `password-of-${name}`;
  const owner = { email, password, display_name: 'Owner' };
  const headers: Record<string, string> = {};
  if (wanted.idempotencyKey !== undefined) headers['idempotency-key'] = wanted.idempotencyKey;
  const account = await operator.post('/v1/admin/accounts', { name, plan, owner }, headers);
  const id = String(account.id);
  if (amount !== undefined) {
    await grantCredit(operator, { id, amount, idempotencyKey: `credit-${id}` });
  }
  return { id, owner: await signIn(operator.baseUrl, email, password) };
}

/** The same with a key. */
export async function openAccountWithKey(
  operator: Api,
  wanted: NewAccount = {},
): Promise<KeyedAccount> {
  const { id, owner } = await openAccount(operator, wanted);
  const { userId: _, api: session, ...signedIn } = owner;
  const { id: keyId, secret: apiKey, api } = await createKey(session);
  return { id, ...signedIn, keyId, apiKey, session, api };
}

/** Grants credit once for the idempotency key; answers what was granted. */
export async function grantCredit(
  operator: Api,
  credit: { readonly id: string; readonly amount: string; readonly idempotencyKey: string },
): Promise<bigint> {
  const path = `/v1/admin/accounts/${credit.id}/credits`;
  const headers = { 'idempotency-key': credit.idempotencyKey };
  const body = { amount: credit.amount, note: 'for a test' };
  return toNano((await operator.post(path, body, headers)).amount);
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
  const accessToken = String(session.access_token);
  const refreshToken = String(session.refresh_token);
  const api = createApi(baseUrl, accessToken);
  return { email, password, userId: id, accessToken, refreshToken, api };
}

/** A new key made by the one who asks, ready to call with. */
export async function createKey(
  api: Api,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly id: string; readonly secret: string; readonly api: Api }> {
  const { id, key } = await api.post('/v1/keys', { name: 'test', ...settings });
  return { id: String(id), secret: String(key), api: createApi(api.baseUrl, String(key)) };
}
