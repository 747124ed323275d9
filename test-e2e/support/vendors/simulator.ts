import { type Api, toNano } from '../api';
import { eventually } from '../eventually';

/** What the vendor stand-in handed over for one request. */
export interface Delivery {
  readonly sequence: number;
  /** The mark that its request carried. */
  readonly tag: string | null;
  readonly request_id: string;
  readonly tokens: number;
  readonly prompt_tokens: number;
  readonly state: string;
}

/** A message that makes the simulator behave in a given way. */
export function directive(settings: Readonly<Record<string, unknown>>, text = 'Hello'): string {
  return `[[simulate ${JSON.stringify(settings)}]] ${text}`;
}

/** The simulator's own address, as the operator sees it on the first channel. */
export async function simulatorUrl(api: Api): Promise<string> {
  const { items } = (await api.get('/v1/admin/channels')) as {
    readonly items: readonly { readonly type: string; readonly base_url: string }[];
  };
  const channel = items.find((candidate) => candidate.type === 'simulator');
  if (channel === undefined) throw new Error('no simulator channel');
  return channel.base_url.replace(/\/v1$/, '');
}

/** Nano-units of the first start's small model for a million tokens. */
const SMALL_PRICES = { prompt: 100_000_000n, completion: 400_000_000n };
const PER_MILLION = 1_000_000n;

/** What tokens of the small model cost, in nano-units: rounded up once for a request. */
export function priceOf(tokens: { readonly prompt: number; readonly completion: number }): bigint {
  const total =
    BigInt(tokens.prompt) * SMALL_PRICES.prompt +
    BigInt(tokens.completion) * SMALL_PRICES.completion;
  return (total + PER_MILLION - 1n) / PER_MILLION;
}

/** What completion would choose from now; nothing before it has heard of the model. */
async function candidatesOf(caller: Api, model: string) {
  const body = { model, messages: [{ role: 'user', content: 'Hello' }] };
  const answer = await caller.request('POST', '/v1/llm/route/explain', { body });
  const candidates = answer.body?.data?.candidates ?? [];
  return candidates as readonly { readonly estimated_amount: string }[];
}

/** Waits until completion has the channels of the model: it hears of a change a moment later. */
export async function untilRouted(caller: Api, model: string, channels = 1): Promise<void> {
  await eventually(
    () => candidatesOf(caller, model),
    ({ length }) => length === channels,
  );
}

/** Nano-units that a short request to the model should cost, by the price that completion has. */
export async function estimateOf(caller: Api, model: string): Promise<bigint> {
  const [first] = await candidatesOf(caller, model);
  return toNano(first?.estimated_amount);
}

/** Nano-units for one token of the model below. */
export const EMBEDDING_PRICE = 20n;

/** Adds a model that turns texts into vectors, and a channel that serves it; answers when it does. */
export async function addEmbeddingModel(operator: Api, name: string): Promise<void> {
  await operator.post('/v1/admin/models', {
    name,
    kind: 'embedding',
    context_length: 8192,
    max_completion_tokens: 1,
    pricing: { prompt: '0.02', completion: '0.00' },
  });
  const base_url = `${await simulatorUrl(operator)}/v1`;
  const models = [{ name }];
  await operator.post('/v1/admin/channels', { name, type: 'simulator', base_url, models });
  await eventually(
    () => operator.request('POST', '/v1/embeddings', { body: { model: name, input: 'hello' } }),
    ({ status }) => status === 200,
  );
}

const PAGE = 1000;

/** Everything that it delivered, oldest first. */
export async function listDeliveries(url: string): Promise<readonly Delivery[]> {
  const found: Delivery[] = [];
  for (let last = 0; ; last = found.at(-1)?.sequence ?? last) {
    const response = await fetch(`${url}/control/deliveries?after=${last}&limit=${PAGE}`);
    const page = (await response.json()) as { readonly deliveries: readonly Delivery[] };
    found.push(...page.deliveries);
    if (page.deliveries.length < PAGE) return found;
  }
}
