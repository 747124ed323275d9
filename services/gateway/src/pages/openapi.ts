import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';
import { IDEMPOTENCY_KEY } from '@tollgate/core';
import { z } from 'zod';
import type { ChatFormat } from '../chat/format';
import { keepingHeaders } from '../chat/kept-answers/keeping-headers';
import { maxCostHeader } from '../chat/max-cost';
import { envelopeOf, failureSchema } from '../http/envelope';
import { IDEMPOTENCY_KEY_HEADER, REPLAYED_HEADER } from '../http/idempotency-key';
import type { Operation, OperationSchema } from '../routes/operation';
import type { Route } from '../routes/table';
import { REQUEST_EXAMPLES } from './request-examples';

type PathConfig = Parameters<OpenAPIRegistry['registerPath']>[0];
type SchemaComponent = Parameters<OpenAPIRegistry['registerComponent']>[2];
type Responses = PathConfig['responses'];

const JSON_MEDIA = 'application/json';
const BEARER = 'bearer';
const KEY_HEADER = 'key_header';
const FAILURE = { $ref: '#/components/schemas/Failure' };

/** The OpenAPI 3.1 document of the table, made from the schemas that validate. */
export function createOpenApiDocument(routes: readonly Route[], version: string): object {
  const registry = new OpenAPIRegistry();
  registry.registerComponent('securitySchemes', BEARER, {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, or the access token of a signed-in user.',
  });
  registry.registerComponent('securitySchemes', KEY_HEADER, {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'An API key, as the clients of some formats send it.',
  });
  const { $schema: _dialect, ...failure } = z.toJSONSchema(failureSchema);
  registry.registerComponent('schemas', 'Failure', failure as SchemaComponent);
  for (const route of routes) {
    const { target } = route;
    registry.registerPath(
      target.kind === 'chat' ? chatPath(route, target.format) : toPath(route, target),
    );
  }
  const document = new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Tollgate',
      version,
      description:
        'Chat completions over several vendors, with one key and one bill. Lengths of texts ' +
        'count UTF-16 code units.',
    },
    servers: [{ url: '/' }],
  });
  return allowNull(document) as object;
}

function baseOf(route: Route) {
  const { method, path } = route;
  return {
    method: method.toLowerCase() as Lowercase<typeof method>,
    path,
    operationId: operationIdOf(method, path),
    tags: [tagOf(path)],
    ...securityOf(route),
  };
}

function securityOf(route: Route) {
  if (route.auth === 'public') return {};
  const { auth, keyHeader } = route;
  const bearer = { [BEARER]: [] };
  if (keyHeader !== undefined) return { security: [bearer, { [KEY_HEADER]: [] }] };
  return { security: auth === 'optional_access_token' ? [bearer, {}] : [bearer] };
}

function toPath(route: Route, { schema }: Operation): PathConfig {
  const { params, query, body, idempotency, rules = {} } = schema;
  const name = nameOf(route);
  const success =
    schema.withoutEnvelope === true
      ? schema.data
      : envelopeOf(nameIt(`${name}AnswerData`, schema.data));
  const ignores = typeof idempotency === 'object';
  const description = [
    ...(ignores ? [`An Idempotency-Key is ignored. ${idempotency.ignored}`] : []),
    ...describeRules(rules),
  ].join('\n\n');
  return {
    ...baseOf(route),
    summary: schema.summary,
    ...(description === '' ? {} : { description }),
    request: {
      ...(params === undefined ? {} : { params }),
      ...(query === undefined ? {} : { query }),
      ...(body === undefined ? {} : { body: bodyOf(route, body) }),
      ...(schema.headers === undefined ? {} : { headers: schema.headers }),
      ...(ignores || idempotency === undefined
        ? {}
        : { headers: idempotencyHeader(idempotency === 'required') }),
    },
    responses: responsesOf(
      schema,
      { [JSON_MEDIA]: { schema: nameIt(`${name}Answer`, success) } },
      failureOf(route, schema.speaks),
    ),
  };
}

function describeRules(rules: Readonly<Record<string, string>>): readonly string[] {
  const lines = Object.entries(rules).map(([field, rule]) => `- \`${field}\` ${rule}.`);
  return lines.length === 0 ? [] : ['Refused besides, though it has the form:', lines.join('\n')];
}

/** A body of which every field may be left out may be left out itself. */
function bodyOf(route: Route, schema: z.ZodType) {
  const { method, path } = route;
  const example = REQUEST_EXAMPLES[`${method} ${path}`];
  const media = {
    schema: nameIt(`${nameOf(route)}Body`, schema),
    ...(example === undefined ? {} : { example }),
  };
  return { required: !schema.safeParse({}).success, content: { [JSON_MEDIA]: media } };
}

/** The advice that a client needs before it repeats a request. */
const IDEMPOTENCY_DESCRIPTION =
  'Makes the request safe to repeat for 24 hours: the same key with the same body is answered as ' +
  'the first time, without secrets; with another body it is refused with 422, and while the ' +
  'first request still runs with 409.';

const replayedHeader = z.object({
  [REPLAYED_HEADER]: z
    .literal('true')
    .optional()
    .describe('There when the answer is that of an earlier request.'),
});

function idempotencyHeader(required: boolean) {
  const key = z.string().regex(IDEMPOTENCY_KEY).describe(IDEMPOTENCY_DESCRIPTION);
  return z.object({ [IDEMPOTENCY_KEY_HEADER]: required ? key : key.optional() });
}

function chatPath(route: Route, format: ChatFormat): PathConfig {
  const { document } = format;
  const stream = { schema: z.string().describe('When stream is true.') };
  const content = {
    [JSON_MEDIA]: { schema: nameIt(`${nameOf(route)}Answer`, document.answer) },
    ...(document.whole === true ? {} : { 'text/event-stream': stream }),
  };
  return {
    ...baseOf(route),
    summary: document.summary,
    request: {
      body: bodyOf(route, document.request),
      headers: maxCostHeader.extend(keepingHeaders.shape),
    },
    responses: responsesOf({ idempotency: 'optional' }, content, failureOf(route, format)),
  };
}

function responsesOf(
  {
    status,
    text,
    streams,
    redirects,
    idempotency,
  }: Pick<OperationSchema, 'status' | 'text' | 'streams' | 'redirects' | 'idempotency'>,
  content: object,
  failure: typeof FAILURE | z.ZodType,
): Responses {
  const plain = { schema: z.string() };
  const texts = [text, streams].flat().filter((type) => type !== undefined);
  const other = Object.fromEntries(texts.map((type) => [type, plain]));
  // What comes in pieces comes in no other way.
  const all = streams === undefined ? { ...content, ...other } : other;
  const elsewhere = { description: 'Where a browser goes on.' };
  const success = {
    description: 'Success.',
    content: all,
    ...(typeof idempotency === 'string' ? { headers: replayedHeader } : {}),
  };
  return {
    [String(status ?? 200)]: success as Responses[string],
    ...(redirects === undefined ? {} : { 302: elsewhere }),
    default: { description: 'Any failure.', content: { [JSON_MEDIA]: { schema: failure } } },
  };
}

function failureOf(route: Route, format: ChatFormat | undefined) {
  const failure = format?.document.failure;
  return failure === undefined ? FAILURE : nameIt(`${nameOf(route)}Failure`, failure);
}

/** `GET /v1/keys/{id}` as `get_keys_id`. */
function operationIdOf(method: string, path: string): string {
  const words = path
    .replace(/^\/v1\//, '')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  return [method.toLowerCase(), ...words].join('_');
}

/** `GET /v1/keys/{id}` as `GetKeysId`. */
function nameOf({ method, path }: Route): string {
  return operationIdOf(method, path).replace(/(?:^|_)(\w)/g, (_match, first: string) =>
    first.toUpperCase(),
  );
}

/** Names an object that has no name: generators of client libraries make a type of each name. */
function nameIt(id: string, schema: z.ZodType): z.ZodType {
  const isObject = schema instanceof z.ZodObject || schema instanceof z.ZodRecord;
  return isObject && schema.meta()?.id === undefined ? schema.meta({ id }) : schema;
}

function tagOf(path: string): string {
  const [first = '', second] = path.replace(/^\/v1\//, '').split('/');
  return first === 'admin' && second !== undefined ? `admin ${second}` : first;
}

/**
 * A literal that may be null as two alternatives, in every part of the document: its list of values
 * has no null, which forbids it.
 */
export function allowNull(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(allowNull);
  if (typeof part !== 'object' || part === null) return part;
  const fields = Object.entries(part).map(([name, one]) => [name, allowNull(one)] as const);
  const { type, enum: values, ...rest } = Object.fromEntries(fields);
  const kept = {
    ...(type === undefined ? {} : { type }),
    ...(values === undefined ? {} : { enum: values }),
  };
  if (!Array.isArray(type) || !Array.isArray(values)) return { ...kept, ...rest };
  if (!type.includes('null') || values.includes(null)) return { ...kept, ...rest };
  const [only] = (type as readonly unknown[]).filter((one) => one !== 'null');
  return { anyOf: [{ type: only, enum: values }, { type: 'null' }], ...rest };
}
