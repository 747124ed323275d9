import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseJson } from '@tollgate/core';
import { type DefaultDirective, mergeDirectives } from '../domain/behaviour';
import type { Delivery, DeliveryLog } from '../domain/delivery-log';
import { answerError, answerJson, readBody } from './bodies';
import type { RunningDefaults } from './chat-completions';
import { fromWireDirective, toWireDirective } from './directive-schema';

export interface ControlOptions {
  readonly deliveries: DeliveryLog;
  readonly defaults: RunningDefaults;
  /** The defaults of the configuration, under whatever is posted. */
  readonly configured: DefaultDirective;
}

/** More than a directive can take: two texts, of which JSON may write each character in 6 bytes. */
const CONTROL_BODY_BYTES_MAX = 2_097_152;
const LIST_LIMIT_DEFAULT = 1_000;
const LIST_LIMIT_MAX = 10_000;

/** `GET` and `DELETE /control/deliveries`. */
export function answerDeliveries(
  options: ControlOptions,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { deliveries } = options;
  if (request.method === 'DELETE') {
    deliveries.clear();
    answerJson(response, 200, '{"cleared":true}');
    return;
  }
  if (request.method !== 'GET') {
    answerError(response, 405);
    return;
  }
  const query = new URL(request.url ?? '/', 'http://simulator').searchParams;
  const limit = Math.min(readCount(query.get('limit')) ?? LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX);
  const items = deliveries.list(readCount(query.get('after')) ?? 0, limit).map(toWireDelivery);
  answerJson(response, 200, JSON.stringify({ deliveries: items, totals: deliveries.totals() }));
}

/** `GET` and `POST /control/defaults`; a post replaces what an earlier one said. */
export function answerDefaults(
  options: ControlOptions,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { defaults, configured } = options;
  if (request.method === 'GET') {
    answerJson(response, 200, JSON.stringify(toWireDirective(defaults.current)));
    return;
  }
  if (request.method !== 'POST') {
    answerError(response, 405);
    return;
  }
  readBody(request, response, CONTROL_BODY_BYTES_MAX, (text) => {
    const reading = fromWireDirective(parseControl(text));
    if (!reading.ok) {
      answerError(response, 400, { message: reading.problem });
      return;
    }
    defaults.current = mergeDirectives(configured, reading.directive);
    answerJson(response, 200, JSON.stringify(toWireDirective(defaults.current)));
  });
}

function toWireDelivery(delivery: Delivery): unknown {
  return {
    sequence: delivery.sequence,
    id: delivery.id,
    request_id: delivery.requestId ?? null,
    tag: delivery.tag ?? null,
    model: delivery.model,
    stream: delivery.stream,
    status: delivery.status,
    prompt_tokens: delivery.promptTokens,
    tokens: delivery.tokens,
    bytes: delivery.bytes,
    state: delivery.state,
  };
}

function readCount(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** An empty body asks for nothing; anything else must be JSON. */
function parseControl(text: string): unknown {
  return text === '' ? {} : parseJson(text);
}
