import { z } from 'zod';
import { count, identifier, isoTime, ordinal } from './primitives';

/** Why a request was turned away before it cost anything. */
export const denialReason = z
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
    key_id: identifier.nullable(),
    reason: denialReason,
    count: count.describe('How many requests were refused within the window.'),
    window_start: isoTime,
    window_seconds: ordinal,
    gateway_id: identifier,
  })
  .describe('A gateway counted the requests that it refused for one reason within one window.');

export type DenialsCounted = z.infer<typeof denialsCounted>;
export type DenialReason = z.infer<typeof denialReason>;

/** Whether a limit of requests refused, not money or a right. */
export function isRateLimit(reason: DenialReason): boolean {
  return reason !== 'balance' && reason !== 'budget' && reason !== 'forbidden';
}
