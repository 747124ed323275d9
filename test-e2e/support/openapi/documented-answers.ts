import type { ApiAnswer, ApiBody } from '../api-answer';
import {
  findOperation,
  type OpenApiDocument,
  type Operation,
  parseOpenApi,
} from './openapi-document';
import { findFaults, type JsonSchema } from './openapi-schema';

const DOCUMENT_PATH = '/v1/openapi.json';
const SHOWN_LENGTH_MAX = 500;
const JSON_TYPE = 'application/json';
const FAILURE: JsonSchema = { $ref: '#/components/schemas/Failure' };

/** By base address; undefined where something else than the product answers. */
const documents = new Map<string, Promise<OpenApiDocument | undefined>>();

/** Throws when an answer differs from the document that its own server serves. */
export async function requireDocumented(
  baseUrl: string,
  request: { readonly method: string; readonly path: string },
  answer: ApiAnswer,
): Promise<void> {
  const undocumented = await findUndocumented(baseUrl, request, answer);
  if (undocumented.length === 0) return;
  const what = `${request.method} ${request.path} answered ${answer.status}`;
  throw new Error([what, answer.text.slice(0, SHOWN_LENGTH_MAX), ...undocumented].join('\n'));
}

/**
 * In what an answer differs from the document that its own server serves; empty when nothing. Other
 * servers than the product have no document, and paths outside /v1 are not in it.
 */
async function findUndocumented(
  baseUrl: string,
  request: { readonly method: string; readonly path: string },
  answer: ApiAnswer,
): Promise<readonly string[]> {
  const path = request.path.split('?', 1)[0] ?? '';
  if (!path.startsWith('/v1/') || path === DOCUMENT_PATH) return [];
  if (request.method === 'HEAD') return [];
  const document = await documentOf(baseUrl);
  if (document === undefined) return [];
  const operation = findOperation(document, request.method, path);
  if (operation !== undefined) return findAnswerFaults(document, operation, answer);
  // What nobody offers is refused, in the words that every refusal has.
  if (request.method === 'OPTIONS' && answer.status < 300) return [];
  if (answer.status < 400) return [`${answer.status} of an operation that is not documented`];
  return findFaults(FAILURE, answer.body, { root: document.root, closed: true });
}

/** In what an answer differs from its operation; a member that is not documented differs too. */
function findAnswerFaults(
  { root }: OpenApiDocument,
  { responses }: Operation,
  answer: ApiAnswer,
): readonly string[] {
  const documented = responses[answer.status] ?? responses.default;
  const isRedirect = answer.status >= 300 && answer.status < 400;
  if (documented !== undefined && isRedirect) return [];
  const [type = ''] = (answer.headers.get('content-type') ?? '').split(';');
  const media = documented?.content?.[type];
  if (media === undefined) return [`${answer.status} with ${type} is not documented`];
  const value = type === JSON_TYPE ? answer.body : answer.text;
  return findFaults(media.schema, value, { root, closed: true });
}

function documentOf(baseUrl: string): Promise<OpenApiDocument | undefined> {
  const known = documents.get(baseUrl);
  if (known !== undefined) return known;
  const fetched = fetchDocument(baseUrl).catch(() => {
    // A server that was stopped in between is asked again at its next answer.
    documents.delete(baseUrl);
    return undefined;
  });
  documents.set(baseUrl, fetched);
  return fetched;
}

async function fetchDocument(baseUrl: string): Promise<OpenApiDocument | undefined> {
  const response = await fetch(`${baseUrl}${DOCUMENT_PATH}`);
  const text = await response.text();
  return response.ok ? parseOpenApi(text) : undefined;
}

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
