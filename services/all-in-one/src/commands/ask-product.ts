import type { Environment } from '@tollgate/config';
import { type JsonRequest, sendJson } from '../http-json';
import type { CommandOutcome } from './outcome';

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

/**
 * Runs a command that talks to the running product with the operator key in TOLLGATE_API_KEY. Exit
 * code 0 means that it was done; what was answered is printed for people, or as JSON.
 */
export async function askProduct(
  { url, json }: AskOptions,
  environment: Environment,
  command: (product: Product) => Promise<unknown>,
): Promise<CommandOutcome> {
  const key = environment.TOLLGATE_API_KEY ?? '';
  const base = url.replace(/\/+$/, '');
  const product: Product = {
    async ask(path, change) {
      if (key === '') {
        throw new Error('TOLLGATE_API_KEY must hold an operator key with the scope admin');
      }
      const { status, body } = await sendJson(`${base}${path}`, key, TIMEOUT_MS, change);
      const answer = body as Answer | null | undefined;
      if (status < 300 && answer?.data !== undefined) return answer.data;
      throw new Error(`${status} ${answer?.error?.code ?? ''} ${answer?.error?.message ?? ''}`);
    },
  };
  try {
    const data = await command(product);
    const message = json ? JSON.stringify(data, null, 2) : toLines(data, '').join('\n');
    return { exitCode: 0, message: `${message}\n` };
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim() : String(error);
    const message = json ? JSON.stringify({ error: reason }) : `not done: ${reason}`;
    return { exitCode: 1, message: `${message}\n` };
  }
}

interface Answer {
  readonly data?: unknown;
  readonly error?: { readonly code?: string; readonly message?: string } | null;
}

/** A member on each line, what is in a member below it and further in. */
function toLines(value: unknown, indent: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [`${indent}${String(value ?? '-')}`];
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown) => {
      const [first = '', ...rest] = toLines(item, `${indent}  `);
      return [`${indent}- ${first.trimStart()}`, ...rest];
    });
  }
  return Object.entries(value).flatMap(([name, member]: readonly [string, unknown]) => {
    if (isPlain(member)) return [`${indent}${name}: ${String(member ?? '-')}`];
    const lines = toLines(member, `${indent}  `);
    return lines.length === 0 ? [`${indent}${name}: none`] : [`${indent}${name}:`, ...lines];
  });
}

function isPlain(value: unknown): value is string | number | boolean | null | undefined {
  return typeof value !== 'object' || value === null;
}
