import { getJson } from '../get-json';
import type { FirstStart } from './target-module';

export interface CardOptions {
  readonly publicUrl: string;
  readonly dataDirectory: string;
  /** Present only at the start that made them. */
  readonly firstStart: FirstStart | undefined;
  /** A model that the curl line asks for. */
  readonly model: string | undefined;
}

/** The card that a person begins with; it has secrets at the first start only. */
export function formatCard({ publicUrl, dataDirectory, firstStart, model }: CardOptions): string {
  const rows = [
    `  API       ${publicUrl}/v1`,
    `  Console   ${publicUrl}/console/`,
    `  Data      ${dataDirectory}`,
  ];
  if (firstStart === undefined) return `\nTollgate is running.\n\n${rows.join('\n')}\n\n`;
  const { email, password, apiKey } = firstStart;
  const lines = [
    'Tollgate is running. What is secret below is shown only this once.',
    '',
    ...rows,
    `  Operator  ${email}`,
    `  Password  ${password ?? '(the one you configured)'}`,
  ];
  if (apiKey === undefined) lines.push('  API key   (make one in the console)');
  else lines.push(`  API key   ${apiKey}`, '', 'Try it:', '', formatCurl(publicUrl, apiKey, model));
  return `\n${lines.join('\n')}\n\n`;
}

/** One line, so that pasting it works in any shell. */
function formatCurl(publicUrl: string, apiKey: string, model = 'auto'): string {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] });
  return [
    `curl ${publicUrl}/v1/chat/completions`,
    `-H 'Authorization: Bearer ${apiKey}'`,
    `-H 'Content-Type: application/json'`,
    `-d '${body}'`,
  ].join(' ');
}

const TIMEOUT_MS = 5_000;
/** Always accepted: the service chooses. */
const ANY_MODEL = 'auto';

/** The first model that the key may use, asked for as any client would. */
export async function findFirstModel(publicUrl: string, apiKey: string): Promise<string> {
  const answer = await getJson(`${publicUrl}/v1/models`, apiKey, TIMEOUT_MS).catch(() => undefined);
  return firstModelId(answer?.body) ?? ANY_MODEL;
}

/** Names that only route (`auto`) are skipped where a concrete one is listed. */
export function firstModelId(list: unknown): string | undefined {
  const items = (list as { readonly data?: unknown } | null | undefined)?.data;
  if (!Array.isArray(items)) return undefined;
  const models = items as readonly { readonly id?: unknown; readonly routing?: unknown }[];
  const ids = models.filter(({ routing }) => routing !== true).map(({ id }) => id);
  return ids.find((id) => typeof id === 'string');
}
