import { randomUUID } from 'node:crypto';
import { checkConfig, type Environment } from '@tollgate/config';
import { allInOneConfigSchema } from '../../config';
import { type CommandOutcome, toOutcome } from '../command';
import { type JsonRequest, sendJson } from './http-json';
import { formatTable, type Table } from './table';

/** How a command reaches the running product, and how it prints what it is answered. */
export interface AskOptions {
  /** The product's public address, without a path. */
  readonly url: string;
  readonly json: boolean;
}

/** The running product, asked with the operator key of the environment. */
export interface Product {
  /** The `data` of the answer. Rejects with a sentence for people when it is refused. */
  ask(path: string, change?: JsonRequest): Promise<unknown>;
}

const TIMEOUT_MS = 30_000;
const CONTROL_CHARACTERS = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;
/** Why a command that needs an operator key did nothing. */
export const OPERATOR_KEY_WANTED =
  'TOLLGATE_API_KEY must hold an operator key with the scope admin: that of the first start, or one ' +
  'that an operator makes in the console (API keys)';

/**
 * Runs a command that talks to the running product with the operator key in TOLLGATE_API_KEY. Exit
 * code 0 means that it was done; what was answered is printed for people, or as JSON.
 */
export async function askProduct(
  { url, json }: AskOptions,
  environment: Environment,
  command: (product: Product) => Promise<unknown>,
  table?: Table,
): Promise<CommandOutcome> {
  try {
    return answerOutcome(await command(createProduct(url, environment)), json, table);
  } catch (error) {
    return failureOutcome(error, json);
  }
}

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
class UncertainError extends Error {
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

/** Where the product listens that is started with the same environment. */
export function productAddressOf(environment: Environment): string {
  const own = checkConfig(allInOneConfigSchema, environment);
  const port = own.ok && own.config.httpPort !== 0 ? own.config.httpPort : DEFAULT_PORT;
  const bind = own.ok ? own.config.bind : '';
  const host = ['', '0.0.0.0', '::'].includes(bind) ? '127.0.0.1' : bind;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
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

/** What was answered, as JSON or for people; a list of which a table is made has a line for each. */
export function answerOutcome(data: unknown, json: boolean, table?: Table): CommandOutcome {
  const message = json ? JSON.stringify(data, null, 2) : toText(data, table);
  return { exitCode: 0, message: `${message}\n` };
}

function toText(data: unknown, table: Table | undefined): string {
  if (table === undefined || !Array.isArray(data)) return toLines(data, '').join('\n');
  const items = data as readonly object[];
  return items.length === 0 ? 'there is none' : formatTable(items, table, forTerminal);
}

/** Why it was not done. */
export function failureOutcome(error: unknown, json: boolean): CommandOutcome {
  const reason = error instanceof Error ? error.message.trim() : String(error);
  if (error instanceof UncertainError) return uncertainOutcome(reason, error.idempotencyKey, json);
  return toOutcome(1, { error: reason }, { json, text: `not done: ${forTerminal(reason)}` });
}

function uncertainOutcome(reason: string, key: string, json: boolean): CommandOutcome {
  const advice =
    `Whether it was done is not known. To make sure of it, give the same command once more with ` +
    `--idempotency-key ${key}: within 24 hours it does nothing twice`;
  const found = { error: `${reason}. ${advice}`, idempotency_key: key };
  return toOutcome(1, found, { json, text: `${forTerminal(reason)}\n${forTerminal(advice)}` });
}

/**
 * What tenants wrote must not move the cursor of an operator's terminal, look like a line of ours or
 * turn the reading direction: such characters are shown by their number.
 */
function forTerminal(text: string): string {
  return text.replaceAll(CONTROL_CHARACTERS, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

interface Answer {
  readonly data?: unknown;
  readonly error?: { readonly code?: string; readonly message?: string } | null;
}

/** A member on each line, what is in a member below it and further in; nothing of what is empty. */
function toLines(value: unknown, indent: string): readonly string[] {
  if (isPlain(value)) return [`${indent}${plain(value)}`];
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown) => {
      const [first = '', ...rest] = toLines(item, `${indent}  `);
      return [`${indent}- ${first.trimStart()}`, ...rest];
    });
  }
  return Object.entries(value).flatMap(([name, member]: readonly [string, unknown]) => {
    if (member === null || member === undefined) return [];
    if (isPlain(member)) return [`${indent}${forTerminal(name)}: ${plain(member)}`];
    const lines = toLines(member, `${indent}  `);
    const title = `${indent}${forTerminal(name)}`;
    return lines.length === 0 ? [] : [`${title}:`, ...lines];
  });
}

const plain = (value: Plain) => forTerminal(String(value ?? '-'));

type Plain = string | number | boolean | null | undefined;

function isPlain(value: unknown): value is Plain {
  return typeof value !== 'object' || value === null;
}
