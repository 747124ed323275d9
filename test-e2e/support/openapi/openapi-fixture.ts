import { type RunningTollgate, startTollgate } from '../../topologies/start-tollgate';
import { createKey, type OpenedAccount, openAccount, type SignedIn, signIn } from '../accounts';
import { type Api, type ApiData, createApi } from '../api';
import { eventually } from '../eventually';
import { type OidcProvider, startOidcProvider } from '../oidc-provider';
import { PAYMENTS } from '../payments';
import { startWebhookReceiver, type WebhookReceiver } from '../webhook-receiver';
import { type OpenApiDocument, parseOpenApi } from './openapi-document';

/** Whose bearer a call carries. */
export type CallerName = 'key' | 'session' | 'anyone';

/** A running product with everything around it that its operations need to succeed. */
export interface OpenApiFixture {
  readonly tollgate: RunningTollgate;
  readonly document: OpenApiDocument;
  /** The operator's key, the operator signed in, and nobody. */
  readonly callers: Readonly<Record<CallerName, Api>>;
  readonly operator: SignedIn;
  /** An account that is not the operator's. */
  readonly account: OpenedAccount;
  readonly receiver: WebhookReceiver;
  readonly provider: OidcProvider;
  /** A word that no other call has used. */
  unique(word: string): string;
  newKey(): Promise<string>;
  newWebhook(): Promise<string>;
  newDelivery(): Promise<string>;
  newChannel(): Promise<string>;
  newModel(): Promise<string>;
  newPlan(): Promise<string>;
  newMember(): Promise<string>;
  newUser(accountId: string): Promise<string>;
  /** One that nobody else works with. */
  newAccount(): Promise<string>;
  /** A code that nobody redeemed, and the text that does. */
  newCodes(): Promise<{ readonly id: string; readonly text: string }>;
  /** The id of the entry of a write in the audit log. */
  newAuditEntry(): Promise<string>;
  /** The id of a completion that is on the ledger. */
  settledRequest(): Promise<string>;
  /** The id of a request whose answer is kept. */
  keptRequest(): Promise<string>;
  /** The id of a completion that no vendor was asked for. */
  refusedRequest(): Promise<string>;
  stop(): Promise<number | string>;
}

/** Bounds that one test alone would meet. */
const NO_THROTTLES = {
  TOLLGATE_GATEWAY_LOGIN_PER_MINUTE: '100000',
  TOLLGATE_GATEWAY_PUBLIC_PER_MINUTE: '100000',
  TOLLGATE_GATEWAY_MANAGEMENT_PER_MINUTE: '100000',
};

/** Starts the product, on engines that the environment names, and opens what its operations need. */
export async function startOpenApiFixture(
  environment: Readonly<Record<string, string>> = {},
): Promise<OpenApiFixture> {
  const [receiver, provider] = await Promise.all([startWebhookReceiver(), startOidcProvider()]);
  try {
    return await startProduct({ receiver, provider }, environment);
  } catch (error) {
    await Promise.all([receiver.stop(), provider.stop()]);
    throw error;
  }
}

async function startProduct(
  { receiver, provider }: Pick<OpenApiFixture, 'receiver' | 'provider'>,
  environment: Readonly<Record<string, string>>,
): Promise<OpenApiFixture> {
  const tollgate = await startTollgate({
    ...NO_THROTTLES,
    TOLLGATE_REGISTRATION: 'open',
    TOLLGATE_GATEWAY_DENIAL_WINDOW_MS: '1000',
    TOLLGATE_TOPUP_SECRETS: PAYMENTS.configured,
    TOLLGATE_WEBHOOK_ENDPOINTS_MAX: '1000',
    TOLLGATE_OAUTH_PROVIDERS: JSON.stringify([provider.settings]),
    TOLLGATE_EGRESS_ALLOWED_HOSTS: `${provider.host},${receiver.host}`,
    TOLLGATE_WEBHOOK_ALLOWED_HOSTS: receiver.host,
    ...environment,
  });
  const { baseUrl, api: key, operatorEmail, operatorPassword } = tollgate;
  const operator = await signIn(baseUrl, operatorEmail, operatorPassword);
  const account = await openAccount(key);
  const callers = { key, session: operator.api, anyone: createApi(baseUrl, undefined) };
  let count = 0;
  const unique = (word: string) => {
    count += 1;
    // Four digits behind a hyphen would be the date of a model.
    return `${word}${count}`;
  };
  return {
    tollgate,
    document: await readDocument(key),
    callers,
    operator,
    account,
    receiver,
    provider,
    unique,
    ...createMakers({ key, session: operator.api, receiver, unique }),
    async stop() {
      const code = await tollgate.stop();
      await Promise.all([receiver.stop(), provider.stop()]);
      return code;
    },
  };
}

interface Makers {
  readonly key: Api;
  readonly session: Api;
  readonly receiver: WebhookReceiver;
  unique(word: string): string;
}

/** The id of a test delivery whose first attempt is over: while it runs none is sent again. */
export async function triedDelivery(api: Api, webhookId: string): Promise<string> {
  const { id } = await api.post(`/v1/webhooks/${webhookId}/test`, {});
  await eventually(
    () => api.get(`/v1/webhooks/${webhookId}/deliveries`),
    ({ items }) => Number((items as readonly ApiData[])[0]?.attempts) > 0,
  );
  return String(id);
}

/** Each makes one record that an operation can be tried on. */
function createMakers({ key, session, receiver, unique }: Makers) {
  const idOf = async (api: Api, path: string, body: unknown) =>
    String((await api.post(path, body)).id);
  const person = () => ({ email: `${unique('person')}@walk.test`, password: 'a-long-password' });
  const newWebhook = () =>
    idOf(key, '/v1/webhooks', { url: receiver.url('/walk'), events: ['key.created'] });
  const newModel = async () => {
    const name = unique('model');
    await key.post('/v1/admin/models', modelBody(name));
    return name;
  };
  // Nothing changes it: one serves whoever reads it.
  let refused: Promise<string> | undefined;
  return {
    newKey: async () => (await createKey(key)).id,
    newWebhook,
    newModel,
    newDelivery: async () => triedDelivery(key, await newWebhook()),
    newMember: () => idOf(session, '/v1/account/members', person()),
    newUser: (accountId: string) =>
      idOf(key, '/v1/admin/users', { ...person(), account_id: accountId }),
    newAccount: () => idOf(key, '/v1/admin/accounts', { name: unique('Account'), owner: person() }),
    newPlan: () => idOf(key, '/v1/admin/plans', planBody(unique('plan'))),
    async newCodes() {
      const made = await key.post('/v1/admin/codes', { amount: '1.00' });
      const [code] = made.codes as readonly { readonly id: string; readonly code: string }[];
      return { id: code?.id ?? '', text: code?.code ?? '' };
    },
    async newAuditEntry() {
      const { id } = await createKey(key);
      const { items } = (await key.get(`/v1/admin/audit-log?resource_id=${id}`)) as {
        readonly items: readonly { readonly id: string }[];
      };
      return items[0]?.id ?? '';
    },
    newChannel: async () =>
      idOf(key, '/v1/admin/channels', channelBody(unique('channel'), await simulatorOf(key))),
    async settledRequest() {
      const { api } = await createKey(key);
      const answer = await api.request('POST', '/v1/chat/completions', { body: CHAT });
      const id = answer.headers.get('x-request-id') ?? '';
      await eventually(
        () => key.request('GET', `/v1/admin/requests/${id}`),
        ({ status }) => status === 200,
      );
      return id;
    },
    async refusedRequest() {
      refused ??= refuseOne(key);
      return refused;
    },
    async keptRequest() {
      const headers = { 'x-tollgate-on-disconnect': 'finish' };
      const answer = await key.request('POST', '/v1/chat/completions', { body: CHAT, headers });
      return answer.headers.get('x-request-id') ?? '';
    },
  };
}

/** A completion of the account that is refused, with a key of its own, and is kept. */
export async function refuseOne(owner: Api): Promise<string> {
  const { api } = await createKey(owner);
  const body = { ...CHAT, model: 'no-such-model' };
  const answer = await api.request('POST', '/v1/chat/completions', { body });
  const id = answer.headers.get('x-request-id') ?? '';
  await eventually(
    () => owner.request('GET', `/v1/requests/${id}`),
    ({ status }) => status === 200,
  );
  return id;
}

/** A completion that the first start's simulator answers. */
export const CHAT = {
  model: 'sim-small',
  max_tokens: 4,
  messages: [{ role: 'user', content: 'Hello' }],
};

/** A plan that allows everything. */
export function planBody(id: string) {
  return {
    id,
    name: id,
    requests_per_minute: 500,
    requests_per_day: null,
    concurrent_requests: null,
    price: '50.00',
    models: ['sim-small'],
  };
}

export function modelBody(name: string) {
  return {
    name,
    context_length: 8192,
    max_completion_tokens: 1024,
    pricing: { prompt: '1.00', completion: '2.00' },
  };
}

/** Not enabled: other tests must not be answered by it. */
export function channelBody(name: string, base_url: string) {
  const models = [{ name: 'sim-small' }];
  return { name, type: 'simulator', base_url, models, status: 'disabled' };
}

/** The base address of the first start's channel. */
export async function simulatorOf(operator: Api): Promise<string> {
  const { items } = (await operator.get('/v1/admin/channels')) as {
    readonly items: readonly { readonly base_url: string }[];
  };
  const [first] = items;
  if (first === undefined) throw new Error('no channel');
  return first.base_url;
}

async function readDocument(api: Api): Promise<OpenApiDocument> {
  return parseOpenApi((await api.request('GET', '/v1/openapi.json')).text);
}
