import { request as askPlain } from 'node:http';
import { request as askSecure } from 'node:https';
import { parseJson } from '@tollgate/core';

/** An answer of the API, as a client sees it. */
export interface JsonAnswer {
  readonly status: number;
  /** undefined when the body is no JSON. */
  readonly body: unknown;
}

/** A request that changes something. */
export interface JsonRequest {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const BODY_CHARACTERS_MAX = 16 * 1024 * 1024;

/** Asks with a bearer. Rejects when nothing is heard for so long, or more than an answer has. */
export function getJson(url: string, bearer: string, timeoutMs: number): Promise<JsonAnswer> {
  return sendJson(url, bearer, timeoutMs, undefined);
}

/** The same with a body; a GET without one. */
export function sendJson(
  url: string,
  bearer: string,
  timeoutMs: number,
  change: JsonRequest | undefined,
): Promise<JsonAnswer> {
  const ask = url.startsWith('https:') ? askSecure : askPlain;
  return new Promise((resolve, reject) => {
    const body = change?.body;
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const headers = { authorization: `Bearer ${bearer}`, ...type, ...change?.headers };
    const method = change?.method ?? 'GET';
    const request = ask(url, { method, headers, timeout: timeoutMs }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > BODY_CHARACTERS_MAX) request.destroy(new Error('the answer is too long'));
      });
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, body: parseJson(text) });
      });
      response.on('error', reject);
    });
    request.on('timeout', () => request.destroy(new Error('no answer in time')));
    request.on('error', reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
