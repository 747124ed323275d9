import { AppError, type Clock, readRetryAfterMs } from '@tollgate/core';
import type { EgressClient } from '@tollgate/egress';
import { Webhook } from 'standardwebhooks';
import type { AttemptResult } from '../domain/attempt';
import type { OutgoingMessage, Receiver } from '../domain/ports';

export interface HttpReceiverOptions {
  readonly egress: EgressClient;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** A longer Retry-After counts as this. */
  readonly retryAfterMsMax: number;
}

/** How soon a message is tried again that was not sent for a reason of our own. */
const NOT_SENT_DELAY_MS = 1_000;

/** Standard Webhooks 1.0 over the one way out; nothing of an answer's body is read. */
export function createHttpReceiver(options: HttpReceiverOptions): Receiver {
  const { egress, clock, timeoutMs, retryAfterMsMax } = options;
  return {
    async checkUrl(url, giver) {
      try {
        await egress.checkUrl(url, giver);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const { code, publicMessage, message: internalMessage } = error;
        throw new AppError(code, { publicMessage, internalMessage, param: 'url', cause: error });
      }
    },
    async post(message, signal) {
      try {
        const { status, headers } = await egress.requestOnce(message.url, {
          method: 'POST',
          headers: toHeaders(message, clock.now()),
          body: Buffer.from(message.body),
          timeoutMs,
          responseBytesMax: 0,
          signal,
        });
        const askedMs = readRetryAfterMs(headers['retry-after'], clock.now()) ?? 0;
        return { kind: 'answered', status, retryAfterMs: Math.min(askedMs, retryAfterMsMax) };
      } catch (error) {
        if (signal.aborted) return { kind: 'not_sent', delayMs: 0 };
        return fromFailure(error);
      }
    },
  };
}

/** Every secret in force signs, so that a receiver may hold either of two while they rotate. */
function toHeaders(message: OutgoingMessage, now: number): Record<string, string> {
  const { messageId, body, secrets } = message;
  const signatures = secrets.map((secret) =>
    new Webhook(secret).sign(messageId, new Date(now), body),
  );
  return {
    'content-type': 'application/json',
    'user-agent': 'Tollgate-Webhook/1.0',
    'webhook-id': messageId,
    'webhook-timestamp': Math.floor(now / 1_000).toString(),
    'webhook-signature': signatures.join(' '),
  };
}

function fromFailure(error: unknown): AttemptResult {
  if (!(error instanceof AppError)) throw error;
  switch (error.code) {
    case 'UPSTREAM_TIMEOUT':
      return { kind: 'unanswered', reason: 'timeout' };
    case 'VALIDATION_ERROR':
      return { kind: 'unanswered', reason: 'refused_address' };
    case 'UPSTREAM_ERROR':
      return { kind: 'unanswered', reason: 'unreachable' };
    default:
      return { kind: 'not_sent', delayMs: NOT_SENT_DELAY_MS };
  }
}
