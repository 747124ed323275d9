import { get as getPlain } from 'node:http';
import { get as getSecure } from 'node:https';

/** An answer of the API, as a client sees it. */
export interface JsonAnswer {
  readonly status: number;
  /** undefined when the body is no JSON. */
  readonly body: unknown;
}

const BODY_CHARACTERS_MAX = 16 * 1024 * 1024;

/** Asks with a bearer. Rejects when nothing answers in time, or without end. */
export function getJson(url: string, bearer: string, timeoutMs: number): Promise<JsonAnswer> {
  const get = url.startsWith('https:') ? getSecure : getPlain;
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${bearer}` };
    const request = get(url, { headers, timeout: timeoutMs }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > BODY_CHARACTERS_MAX) request.destroy(new Error('the answer is too long'));
      });
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, body: parse(text) });
      });
      response.on('error', reject);
    });
    request.on('timeout', () => request.destroy(new Error('no answer in time')));
    request.on('error', reject);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
