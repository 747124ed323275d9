import type { z } from 'zod';
import type { BearerKind } from '../auth/authenticate';
import type { AccountRole, Principal, Scope } from '../domain/principal';
import type { Exchange } from '../http/exchange';
import type { PresenterName } from '../http/presenter';

/** Which limiter a call counts against: the plan's, or one of the plain throttles. */
export type LimiterClass = 'metered' | 'management' | 'login' | 'public' | 'none';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The schemas of one operation; they validate, and the OpenAPI document is made from them. */
export interface OperationSchema {
  /** One line for the document. */
  readonly summary: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Unknown members must be refused: a typing error must not silently weaken a key. */
  readonly body?: z.ZodType;
  /** The body may be as large as a completion's, and is one. */
  readonly chatSized?: true;
  /** The payload without the envelope. */
  readonly data: z.ZodType;
  /** 201 for creating POSTs; 200 when absent. */
  readonly status?: 201;
  /** The payload is all there is, as client libraries expect it. */
  readonly plain?: true;
  /** The type of a success that may come as text instead. */
  readonly text?: 'text/csv';
  /** Browsers get a redirect in place of the payload. */
  readonly redirects?: true;
  /** Every POST says how it stands to an Idempotency-Key. */
  readonly idempotency?: IdempotencyRule;
}

/** Takes an Idempotency-Key optionally, or always, or ignores it for the documented reason. */
export type IdempotencyRule = 'optional' | 'required' | { readonly ignored: string };

/** What the owning service needs to recognise a repeated request; the key is empty without one. */
export interface Idempotency {
  readonly key: string;
  /** SHA-256 of the canonical body, hex. */
  readonly bodyDigest: string;
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** What every handler knows about its call. */
export interface CallContext {
  readonly exchange: Exchange;
  readonly remoteAddress: string;
  /** `https://host` under which people reach us; throws when that is not configured. */
  readonly publicOrigin: () => string;
  readonly idempotency: Idempotency;
  /** For the clients of other services. */
  readonly rpc: {
    readonly requestId: string;
    readonly accountId: string;
    readonly traceparent: string;
  };
}

/** A checked call of an authenticated operation. */
export interface OperationInput<Schema extends OperationSchema> {
  readonly principal: Principal;
  /** Empty for API keys. */
  readonly sessionId: string;
  readonly params: Parsed<Schema['params']>;
  readonly query: Parsed<Schema['query']>;
  readonly body: Parsed<Schema['body']>;
  readonly context: CallContext;
}

/** A success: a payload for the presenter, finished text of another type, or another place. */
export type OperationResult =
  | { readonly data: unknown; readonly replayed?: boolean }
  | { readonly redirect: string }
  | { readonly text: string; readonly contentType: string };

/** An operation of which only the table knows the types. */
export interface Operation {
  readonly schema: OperationSchema;
  readonly handle: (input: OperationInput<OperationSchema>) => Promise<OperationResult>;
}

/** Binds a handler to its schema, so that what it receives is what was checked. */
export function operation<const Schema extends OperationSchema>(
  schema: Schema,
  handle: (input: OperationInput<Schema>) => Promise<OperationResult>,
): Operation {
  return { schema, handle: handle as Operation['handle'] };
}

/** Who may call a row. */
export interface Caller {
  /** `public` needs no bearer; `optional_access_token` takes a body that says who calls instead. */
  readonly auth: BearerKind | 'public' | 'optional_access_token';
  /** What an API key must be allowed; absent when no scope covers it. */
  readonly scope?: Scope;
  readonly role: AccountRole | 'operator' | 'anyone';
  readonly limiter: LimiterClass;
}

/** One row of the route table. */
export interface Route extends Caller {
  readonly method: HttpMethod;
  /** With `{name}` for parameters. */
  readonly path: string;
  /** Management calls go through a checked operation, chat has a path of its own. */
  readonly serve: Operation | ChatServing;
  /** The path before v1 that leads to the same handler. */
  readonly legacy?: string;
}

/** The completion paths: their body is read and checked by hand. */
export interface ChatServing {
  readonly chat: PresenterName;
}
