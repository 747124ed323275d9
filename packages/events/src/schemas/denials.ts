import { BEARER_FAULTS, REJECTED_MAX, REJECTION_REASONS } from '@tollgate/core';
import { z } from 'zod';
import { count, identifier, isoTime, ordinal, shortName, shortText } from './primitives';

/** Why a request was turned away before it cost anything. */
const denialReason = z
  .enum([
    'rpm',
    'rpd',
    'concurrency',
    'key_rpm',
    'key_rpd',
    'key_concurrency',
    'balance',
    'budget',
    'forbidden',
  ])
  .describe('What refused: a limit of the account or of the key, money, or rights of the key.');

/** Denials of one account, key and reason within one window of one gateway. */
export const denialsCounted = z
  .object({
    account_id: identifier,
    key_id: identifier
      .nullable()
      .describe(
        'Null for limits of the account, and for what an account has beyond 20 counts of keys.',
      ),
    reason: denialReason,
    count: count.describe('How many requests were refused within the window.'),
    window_start: isoTime,
    window_seconds: ordinal,
    gateway_id: identifier,
  })
  .describe('A gateway counted the requests that it refused for one reason within one window.');

/** Completions that were answered with 503 and never begun: no usage record tells of them. */
export const unservedCounted = z
  .object({
    account_id: identifier,
    key_id: identifier
      .nullable()
      .describe('Null for a signed-in user, and for what an account has beyond 20 counts of keys.'),
    count: count.describe('How many there were within the window.'),
    window_start: isoTime,
    window_seconds: ordinal,
    gateway_id: identifier,
  })
  .describe(
    'A gateway counted the completions that it answered with 503 before any vendor was asked.',
  );

/** Requests in one event. */
export const REFUSALS_PER_EVENT_MAX = 5;

/** Requests that a gateway refused before a vendor was asked, so that no receipt tells of them. */
export const refusalsSampled = z
  .object({
    account_id: identifier,
    gateway_id: identifier,
    requests: z
      .array(
        z.object({
          request_id: identifier,
          key_id: identifier.nullable().describe('Null for a signed-in user.'),
          error_code: identifier.describe('What the client was told: a code of the error table.'),
          message: shortText.describe('The sentence that the client was told.'),
          param: shortText.nullish().describe('The member of the request that was at fault.'),
          requested_model: shortName.nullish().describe('Null when it was not read before.'),
          address: z
            .string()
            .max(64)
            .optional()
            .describe('Where it came from, if its API key may not be used from there.'),
          rejected: z
            .array(
              z.object({
                channel_id: identifier,
                model: shortName,
                reason: z.enum(REJECTION_REASONS),
                retry_after_ms: ordinal
                  .optional()
                  .describe('How long its vendor still wanted to be left alone.'),
              }),
            )
            .max(REJECTED_MAX)
            .optional()
            .describe('Of a request that no channel could take: why each of the first could not.'),
          at: isoTime,
        }),
      )
      .min(1)
      .max(REFUSALS_PER_EVENT_MAX)
      .describe('The first of each key and code in the window.'),
  })
  .describe('Some of the requests of an account that a gateway refused within one window.');

/** Requests in one event. */
export const OWNERLESS_PER_EVENT_MAX = 100;

/** Requests that were refused with 401. Most have no account, so that no other event fits. */
export const refusalsUnauthorized = z
  .object({
    gateway_id: identifier,
    requests: z
      .array(
        z.object({
          request_id: identifier,
          fault: z.enum(BEARER_FAULTS),
          presented: z
            .string()
            .max(64)
            .nullable()
            .describe(
              'Public part of what was sent, preview of the key, or the id of the user of a session.',
            ),
          account_id: identifier.nullable().describe('Null when no key is known by it.'),
          key_id: identifier.nullable(),
          address: z.string().max(64).optional().describe('Where it came from.'),
          message: shortText
            .optional()
            .describe('What is wrong with the text that was sent, where that is known.'),
          path: shortText
            .optional()
            .describe('Of one that is no completion: the plain words of its path.'),
          at: isoTime,
        }),
      )
      .min(1)
      .max(OWNERLESS_PER_EVENT_MAX)
      .describe('The first of each key and of each network in the window.'),
  })
  .describe('Some of the requests that a gateway refused with 401 within one window.');

/** Completions that came to a wrong path or by a wrong method. Nobody looked whose they were. */
export const refusalsUnrouted = z
  .object({
    gateway_id: identifier,
    requests: z
      .array(
        z.object({
          request_id: identifier,
          path: shortText.describe('Where it was sent: the plain words of the path.'),
          message: shortText.describe('The sentence that the client was told: what was meant.'),
          error_code: identifier.optional().describe('Absent: NOT_FOUND.'),
          presented: z
            .string()
            .max(64)
            .nullable()
            .describe('Public part of what was sent as an API key, which nobody looked for.'),
          address: z.string().max(64).optional().describe('Where it came from.'),
          at: isoTime,
        }),
      )
      .min(1)
      .max(OWNERLESS_PER_EVENT_MAX)
      .describe('The first of each network in the window.'),
  })
  .describe(
    'Some of the completions that came to a gateway by a wrong path or method in one window.',
  );

export type RefusalsUnrouted = z.infer<typeof refusalsUnrouted>;
export type RefusalsUnauthorized = z.infer<typeof refusalsUnauthorized>;
export type RefusalsSampled = z.infer<typeof refusalsSampled>;
export type UnservedCounted = z.infer<typeof unservedCounted>;
export type DenialsCounted = z.infer<typeof denialsCounted>;
export type DenialReason = z.infer<typeof denialReason>;

/** Whether a limit of requests refused, not money or a right. */
export function isRateLimit(reason: DenialReason): boolean {
  return reason !== 'balance' && reason !== 'budget' && reason !== 'forbidden';
}
