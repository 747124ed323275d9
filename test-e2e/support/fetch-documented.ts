import type { ApiBody } from './api-answer';
import { requireDocumented } from './documented-answers';

/**
 * `fetch` for suites that need its streams or signals: the answer is compared with the document
 * that the product serves, a JSON one whole, of a stream its status and kind.
 */
export async function fetchDocumented(
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<Response> {
  const response = await fetch(input, init);
  const { headers, status } = response;
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false;
  const text = isJson ? await response.clone().text() : '';
  const body = isJson ? (JSON.parse(text) as ApiBody) : undefined;
  const { origin, pathname: path } = new URL(input instanceof Request ? input.url : input);
  const method = init.method ?? 'GET';
  const answer = { status, headers, text, body };
  await requireDocumented(origin, { method, path }, answer);
  return response;
}
