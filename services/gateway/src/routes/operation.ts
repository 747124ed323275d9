import type { Clock, Idempotency } from '@tollgate/core';
import type { z } from 'zod';
import type { Authenticated } from '../auth/authenticate';
import type { SignerSecret } from '../auth/signed-payload';
import type { ChatFormat } from '../chat/format';
import type { CompletionCall } from '../clients/completion/client';
import type { CompletionPool } from '../clients/completion/pool';
import type { ControlPlane } from '../clients/control-plane';
import type { HttpExchange } from '../http/exchange';
import type { PlanTable } from '../limits/plan-table';

/** One management operation: its schemas, and what answers a request that they accept. */
export interface Operation {
  readonly kind: 'operation';
  readonly schema: OperationSchema;
  readonly handle: (input: CheckedInput, services: Services) => Promise<OperationResult>;
  /**
   * The resource alone, as the audit log keeps it before a write. Present where `handle` tells people
   * more of it, for which no write should wait.
   */
  readonly readResource?:
    | ((input: CheckedInput, services: Services) => Promise<unknown>)
    | undefined;
}

/** Binds a handler to its schema, so that what it receives is what was checked. */
export function operation<const Schema extends OperationSchema>(
  schema: Schema,
  handle: (input: OperationInput<Schema>, services: Services) => Promise<OperationResult>,
  further: FurtherHandlers<Schema> = {},
): Operation {
  return {
    kind: 'operation',
    schema,
    handle: handle as Operation['handle'],
    readResource: further.readResource as Operation['readResource'],
  };
}

interface FurtherHandlers<Schema extends OperationSchema> {
  /** As in `Operation`. */
  readonly readResource?: (input: OperationInput<Schema>, services: Services) => Promise<unknown>;
}

/** An operation of a row that needs no bearer. */
export interface PublicOperation extends Operation {
  readonly needsNoBearer: true;
}

/** The same for a row that needs no bearer: its handler is told who asks only where that is known. */
export function publicOperation<const Schema extends OperationSchema>(
  schema: Schema,
  handle: (input: PublicInput<Schema>, services: Services) => Promise<OperationResult>,
): PublicOperation {
  return { kind: 'operation', schema, handle: handle as Operation['handle'], needsNoBearer: true };
}

/** The schemas of one operation; they validate, and the OpenAPI document is made from them. */
export interface OperationSchema {
  /** One line for the document. */
  readonly summary: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Unknown fields must be refused: a typing error must not silently weaken a key. */
  readonly body?: z.ZodType;
  /**
   * Reads a body that may be as large as a completion's in place of `body`, which then documents
   * the same rules: a schema is slow on a megabyte. Throws VALIDATION_ERROR.
   */
  readonly parseBody?: (body: unknown) => unknown;
  /** Its body may be a table as large as a completion's; operators send few of them. */
  readonly takesTable?: true;
  /** The payload without the envelope. */
  readonly data: z.ZodType;
  /** 201 for creating POSTs; 200 when absent. */
  readonly status?: 201;
  /** Answered without an envelope, as client libraries expect it. */
  readonly withoutEnvelope?: true;
  /** The types of a success that may come as text instead. */
  readonly text?: TextType | readonly TextType[];
  /** The type of a success that comes piece by piece, in place of the payload. */
  readonly streams?: 'application/jsonl';
  /** Browsers get a redirect in place of the payload. */
  readonly redirects?: true;
  /**
   * What no schema can say of a field, and is refused with VALIDATION_ERROR all the same. The document
   * lists it; each sentence goes on from the field's name.
   */
  readonly rules?: Readonly<Record<string, string>>;
  /** Further needs of the request, for the document; `verifySignature` checks them. */
  readonly headers?: z.ZodObject;
  /**
   * Refuses a body that its sender has not signed, before anything is noted of the write; gives the
   * id that was signed with it.
   */
  readonly verifySignature?: (input: CheckedInput, services: Services) => string;
  /** The format in which its failures are told, where that is one of completions. */
  readonly speaks?: ChatFormat;
  /** Why a method other than GET has no entry in the audit log. */
  readonly withoutAuditEntry?: string;
  /** What it removes must not live on in the log: its entry does not say what was there before. */
  readonly erases?: true;
  /** Every POST has a rule, and so has any other write that cannot be undone. */
  readonly idempotency?: IdempotencyRule;
}

type TextType = 'text/csv' | 'text/event-stream' | 'text/html';

/** Takes an Idempotency-Key optionally, or always, or ignores it for the documented reason. */
export type IdempotencyRule = 'optional' | 'required' | { readonly ignored: string };

/** A request as its handler reads it: what was checked against the schema. */
interface RequestInput<Schema extends OperationSchema> {
  readonly params: Parsed<Schema['params']>;
  readonly query: Parsed<Schema['query']>;
  readonly body: Schema extends { readonly parseBody: (body: unknown) => infer Body }
    ? Body
    : Parsed<Schema['body']>;
  readonly context: OperationContext;
  /** What `verifySignature` gave. */
  readonly signedId?: string | undefined;
}

/** The same with who asks. */
export type OperationInput<Schema extends OperationSchema> = RequestInput<Schema> & Authenticated;

/** The same on a row that needs no bearer. */
export type PublicInput<Schema extends OperationSchema> = RequestInput<Schema> &
  Partial<Authenticated>;

/** The same for any operation. */
export type CheckedInput = PublicInput<OperationSchema>;

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** The part of the request that a handler may read beyond its schema. */
export interface OperationContext {
  readonly exchange: HttpExchange;
  readonly remoteAddress: string;
  /** `https://host` under which people reach us; throws when that is not configured. */
  readonly publicOrigin: () => string;
  readonly idempotency: Idempotency;
  /** The body as it arrived; empty without one. */
  readonly bytes: Buffer;
}

/** The principal and the context of a request, for functions that ask other services to answer it. */
export type PrincipalContext = Pick<OperationInput<OperationSchema>, 'context' | 'principal'>;

/** What is asked of completion: the last argument says how long it may take, and no more. */
type CompletionsForRequest = Pick<CompletionPool, 'instances'> & {
  readonly [Name in 'countTokens' | 'defaultTimeouts' | 'explain' | 'listActive']: (
    ...asked: WithDeadline<Parameters<CompletionPool[Name]>>
  ) => ReturnType<CompletionPool[Name]>;
};
type WithDeadline<Asked> = Asked extends [...infer Rest, CompletionCall]
  ? [...Rest, Pick<CompletionCall, 'deadlineMs'>]
  : never;

/** What a handler works with: whom it may ask, each call for its request, and the clock. */
export interface Services extends Omit<ControlPlane, 'close'> {
  readonly completions: CompletionsForRequest;
  readonly clock: Clock;
  /** When this gateway started. */
  readonly startedAtMs: number;
  /** How long gateways note refused requests before they publish them. */
  readonly denialWindowMs: number;
  readonly plans: Pick<PlanTable, 'planOf'>;
  /** The secrets of the systems that sign what they send. */
  readonly signerSecrets: readonly SignerSecret[];
}

/** A success: a payload for the envelope, text (whole or piece by piece), or another place. */
export type OperationResult =
  | {
      readonly data: unknown;
      readonly replayed?: boolean;
      /** What the payload cannot say of itself; a path without an envelope does not show it. */
      readonly message?: string;
    }
  | { readonly redirect: string }
  | { readonly text: string; readonly contentType: string }
  | { readonly stream: AsyncIterable<string>; readonly contentType: string };
