import { createKey } from '../accounts';
import { type Api, toNano } from '../api';
import { eventually } from '../eventually';
import { fetchDocumented } from '../openapi/documented-answers';

/** Nano-units for one token of the first start's small model. */
export const SMALL_PRICES = { prompt: 100n, completion: 400n };

/** What an unmodified client library is made with, and the statuses that it was answered with. */
export async function newClient(owner: Api, settings: object = {}, maxRetries = 0) {
  const { id: keyId, secret: apiKey } = await createKey(owner, { ...settings });
  const statuses: number[] = [];
  // Counts and compares, and changes nothing.
  const counting = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const answer = await fetchDocumented(input, init);
    statuses.push(answer.status);
    return answer;
  };
  return { keyId, statuses, options: { apiKey, maxRetries, fetch: counting } };
}

/** What a call throws. */
export async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => new Error('it succeeded'),
    (error: unknown) => error,
  );
}

/** A charge as the ledger has it. */
export interface Charge {
  readonly amount: string;
  readonly model: string;
  readonly source: string;
  readonly key_id: string | null;
  readonly request_id: string | null;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

/** The charges of a key or a request, when so many of them are on the ledger. */
export async function chargesOf(
  api: Api,
  whose: Partial<Pick<Charge, 'key_id' | 'request_id'>>,
  count = 1,
): Promise<readonly Charge[]> {
  const members = Object.entries(whose) as readonly (readonly [keyof Charge, string | null])[];
  return eventually(
    async () => {
      const { items } = await api.get('/v1/billing/ledger?kind=charge&limit=200');
      return (items as readonly Charge[]).filter((charge) =>
        members.every(([name, value]) => charge[name] === value),
      );
    },
    ({ length }) => length === count,
  );
}

/** That the only charge of a key is for these tokens, at these nano-units for one. */
export async function expectCharged(
  api: Api,
  keyId: string,
  tokens: { readonly prompt: number; readonly completion: number },
  prices: { readonly prompt: bigint; readonly completion: bigint },
): Promise<void> {
  const [charge] = await chargesOf(api, { key_id: keyId });
  expect(charge).toMatchObject({
    prompt_tokens: tokens.prompt,
    completion_tokens: tokens.completion,
  });
  const prompt = BigInt(tokens.prompt) * prices.prompt;
  const completion = BigInt(tokens.completion) * prices.completion;
  expect(toNano(charge?.amount)).toBe(prompt + completion);
}
