import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiAnswer } from './api';
import { REPOSITORY } from './repository';

const PAGES = join(REPOSITORY, 'docs/errors');

/** Every code that an answer may have: those that have a page. */
export const DOCUMENTED_CODES = readdirSync(PAGES).map((name) => name.replace(/\.md$/, ''));

/** What a page says of its code. */
interface ErrorPage {
  readonly status: number;
  readonly retryHelps: boolean;
  readonly example: { readonly error: { readonly code: string; readonly type: string } };
  /** What the chat paths without the envelope say instead, where client libraries know another. */
  readonly openaiCode: string;
}

export function readPage(code: string): ErrorPage {
  const text = readFileSync(join(PAGES, `${code}.md`), 'utf8');
  const [, status, retry] = /^\| (\d{3}) .*\| (yes|no) +\|$/m.exec(text) ?? [];
  const [, json = ''] = /^```json\n([\s\S]*?)^```$/m.exec(text) ?? [];
  const [, openaiCode = code] = /`error\.code` is\s+`(\w+)`, the code that client/.exec(text) ?? [];
  const example = JSON.parse(json) as ErrorPage['example'];
  return { status: Number(status), retryHelps: retry === 'yes', example, openaiCode };
}

/** The status of each code and of each plain one. */
const STATUS_OF = new Map(
  DOCUMENTED_CODES.flatMap((code) => {
    const { status, openaiCode } = readPage(code);
    return [code, openaiCode].map((name): [string, number] => [name, status]);
  }),
);

/** The members of a failure: of all paths, and of the format of Anthropic's clients. */
const FORMS = [
  'success,data,error,message code,message,type,param',
  'type,error type,message,code,param',
];

/** What keeps an answer from being a success or a documented failure; undefined for good ones. */
export function faultOf({ status, body, text }: ApiAnswer): string | undefined {
  if (status < 400) return undefined;
  const error = body?.error;
  if (error === undefined || error === null) return `${status} without an error: ${text}`;
  if (STATUS_OF.get(error.code) !== status) return `${status} with ${error.code}`;
  const members = [Object.keys(body ?? {}), Object.keys(error)].map((keys) => keys.join());
  if (!FORMS.includes(members.join(' '))) return `${status} with members ${members}`;
  const succeeds = 'success' in (body ?? {}) && body?.success !== false;
  return succeeds ? `${status} that calls itself a success` : undefined;
}
