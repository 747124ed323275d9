import { randomUUID } from 'node:crypto';
import { checkConfig, type Environment } from '@tollgate/config';
import { urlOf } from '@tollgate/lifecycle';
import { allInOneConfigSchema } from '../config';
import { type JsonRequest, sendJson } from './http-json';

/** The running product, asked with the operator key of the environment. */
export interface Product {
  /** The `data` of the answer. Rejects with a sentence for people when it is refused. */
  ask(path: string, change?: JsonRequest): Promise<unknown>;
}

const TIMEOUT_MS = 30_000;
/** Why a command that needs an operator key did nothing. */
export const OPERATOR_KEY_WANTED =
  'TOLLGATE_API_KEY must hold an operator key with the scope admin: that of the first start, or one ' +
  'that an operator makes in the console (API keys)';

/** The product at its public address, which has so long for each answer. */
export function createProduct(
  url: string,
  environment: Environment,
  timeoutMs: number = TIMEOUT_MS,
): Product {
  const key = environment.TOLLGATE_API_KEY ?? '';
  const base = url.replace(/\/+$/, '');
  return {
    async ask(path, change) {
      if (key === '') throw new RefusedError(OPERATOR_KEY_WANTED);
      const sent = sendJson(`${base}${path}`, key, timeoutMs, change);
      const { status, body } = await sent.catch((error: unknown) => {
        throw explainUnheard(error, base);
      });
      const answer = body as Answer | null | undefined;
      if (status < 300 && answer?.data !== undefined) return answer.data;
      const { code = '', message = '' } = answer?.error ?? {};
      const hint = status === 403 ? `${OPERATOR_KEY_WANTED}. ` : '';
      const reason = `${hint}${status} ${code} ${message}`;
      if (status === 404) throw new NotFoundError(reason);
      throw isRefusal(status) ? new RefusedError(reason) : new Error(reason);
    },
  };
}

/** The product said that it did nothing, or nothing could be said to it. */
class RefusedError extends Error {}

/** What was asked for is not there. */
export class NotFoundError extends RefusedError {}

/** A failure after which nobody knows whether the product did it. */
export class UncertainError extends Error {
  readonly idempotencyKey: string;

  constructor(cause: unknown, idempotencyKey: string) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.idempotencyKey = idempotencyKey;
  }
}

/** A 409 may say that the first request with the same key is still on its way. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 409;
}

/**
 * Asks for a change that must not happen twice, under the key that was given or one that is made.
 * When it stays open whether it was done, the error tells the key.
 */
export async function askOnce(
  product: Product,
  path: string,
  change: JsonRequest,
  idempotencyKey: string = randomUUID(),
): Promise<unknown> {
  const headers = { ...change.headers, 'idempotency-key': idempotencyKey };
  try {
    return await product.ask(path, { ...change, headers });
  } catch (error) {
    throw error instanceof RefusedError ? error : new UncertainError(error, idempotencyKey);
  }
}

/** An item of a list, as far as commands look at it. */
export interface Listed {
  readonly id: string;
  readonly name?: string;
  readonly email?: string;
  readonly account_id?: string;
  readonly role?: string;
  readonly client_request_id?: string | null;
}

export interface Page<Item = Listed> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

/** The pages of a list, each asked for when it is wanted. */
export async function* eachPage<Item = Listed>(
  product: Product,
  list: string,
): AsyncGenerator<Page<Item>> {
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = (await product.ask(`${list}${from}`)) as Page<Item>;
    yield page;
    cursor = page.next_cursor;
  }
}

/** Every item of a list. */
export async function listAll<Item = Listed>(
  product: Product,
  list: string,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const page of eachPage<Item>(product, list)) items.push(...page.items);
  return items;
}

/** Where the product listens that is started with the same environment. */
export function productAddressOf(environment: Environment): string {
  const own = checkConfig(allInOneConfigSchema, environment);
  const port = own.ok && own.config.httpPort !== 0 ? own.config.httpPort : DEFAULT_PORT;
  const bind = own.ok ? own.config.bind : '';
  return urlOf(bind || '127.0.0.1', port);
}

const DEFAULT_PORT = 8080;

/** A product that is not there, in the words of who looked for it. */
function explainUnheard(error: unknown, base: string): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') return error;
  return new RefusedError(
    `nothing listens at ${base}: does the product run? --url names another address, and ` +
      'TOLLGATE_HTTP_PORT another port',
  );
}

/** False where TOLLGATE_API_KEY is not set. */
export function hasOperatorKey(environment: Environment): boolean {
  return (environment.TOLLGATE_API_KEY ?? '') !== '';
}

interface Answer {
  readonly data?: unknown;
  readonly error?: { readonly code?: string; readonly message?: string } | null;
}
