import { type Api, createApi } from './api';

/** What a new account is made with. */
export interface AccountPlan {
  /** Also the local part of its owner's email. */
  readonly name: string;
  readonly plan?: string;
  /** No credit when absent. */
  readonly credit?: string;
  readonly password?: string;
}

/** An account as its owner holds it. */
export interface OpenedAccount {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly keyId: string;
  readonly apiKey: string;
  /** With the access token. */
  readonly session: Api;
  /** With the API key. */
  readonly api: Api;
}

/** A new account with credit, its owner logged in, and one key with the default scopes. */
export async function openAccount(operator: Api, plan: AccountPlan): Promise<OpenedAccount> {
  const email = `${plan.name}@example.test`;
  const password = plan.password ?? `password-of-${plan.name}`;
  const account = await operator.post('/v1/admin/accounts', {
    name: plan.name,
    plan: plan.plan ?? 'enterprise',
    owner: { email, password, display_name: 'Owner' },
  });
  const id = String(account.id);
  if (plan.credit !== undefined) {
    await operator.post(
      `/v1/admin/accounts/${id}/credits`,
      { amount: plan.credit, note: 'for a test' },
      { 'idempotency-key': `credit-${plan.name}` },
    );
  }
  const login = await createApi(operator.baseUrl, undefined).post('/v1/users/login', {
    email,
    password,
  });
  const accessToken = String(login.access_token);
  const session = createApi(operator.baseUrl, accessToken);
  const key = await session.post('/v1/keys', { name: 'test' });
  const apiKey = String(key.key);
  return {
    id,
    email,
    password,
    accessToken,
    refreshToken: String(login.refresh_token),
    keyId: String(key.id),
    apiKey,
    session,
    api: createApi(operator.baseUrl, apiKey),
  };
}
