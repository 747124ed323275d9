import { type Clock, chunksOf, type ErrorCode, toIsoTime } from '@tollgate/core';
import {
  createEvent,
  type EventBus,
  OWNERLESS_PER_EVENT_MAX,
  REFUSALS_PER_EVENT_MAX,
  toOutgoing,
} from '@tollgate/events';
import type { DenialCount } from './denials';
import type { RefusedRequest, RefusedRequestsOptions } from './refused-requests';

const PUBLISH_TIMEOUT_MS = 5000;
/** As the log has it: longer sentences name fields that the client made up. */
const MESSAGE_LENGTH_MAX = 300;
const MODEL_LENGTH_MAX = 256;

/** Publishes windows of denials on the denials topic. */
export function createDenialPublisher(
  bus: Pick<EventBus, 'publish'>,
  gatewayId: string,
  clock: Clock,
): (counts: readonly DenialCount[]) => Promise<void> {
  return (counts) =>
    bus.publish(
      counts.map((count) => toOutgoing(count.accountId, toEvent(count, gatewayId, clock))),
      { timeoutMs: PUBLISH_TIMEOUT_MS },
    );
}

/**
 * `unserved` has an event type of its own, because stats counts it as failed and not as denied;
 * consumers of an older version skip it.
 */
function toEvent({ reason, ...counted }: DenialCount, gatewayId: string, clock: Clock) {
  const data = {
    account_id: counted.accountId,
    key_id: counted.keyId ?? null,
    count: counted.count,
    window_start: counted.windowStart,
    window_seconds: counted.windowSeconds,
    gateway_id: gatewayId,
  };
  return reason === 'unserved'
    ? createEvent('unserved.counted', data, clock)
    : createEvent('denials.counted', { ...data, reason }, clock);
}

/**
 * Publishes refused requests on the denials topic: in events of one account each, and apart those
 * with a 401 and those of a wrong path or method.
 */
export function createRefusedRequestPublisher(
  bus: EventBus,
  gatewayId: string,
  clock: Clock,
): RefusedRequestsOptions['publish'] {
  return (refused) => {
    const unauthorized = refused.flatMap(toUnauthorizedData);
    const unrouted = refused.flatMap(toUnroutedData);
    const others = refused.filter((one) => one.bearer === undefined && one.unrouted === undefined);
    const events = [...Map.groupBy(others, ({ accountId }) => accountId)].flatMap(
      ([accountId, requests]) =>
        chunksOf(requests, REFUSALS_PER_EVENT_MAX).map((page) => {
          const data = { account_id: accountId, gateway_id: gatewayId, requests: page.map(toData) };
          return toOutgoing(accountId, createEvent('refusals.sampled', data, clock));
        }),
    );
    for (const requests of chunksOf(unauthorized, OWNERLESS_PER_EVENT_MAX)) {
      const data = { gateway_id: gatewayId, requests: [...requests] };
      events.push(toOutgoing(gatewayId, createEvent('refusals.unauthorized', data, clock)));
    }
    for (const requests of chunksOf(unrouted, OWNERLESS_PER_EVENT_MAX)) {
      const data = { gateway_id: gatewayId, requests: [...requests] };
      events.push(toOutgoing(gatewayId, createEvent('refusals.unrouted', data, clock)));
    }
    return bus.publish(events, { timeoutMs: PUBLISH_TIMEOUT_MS });
  };
}

function toData(refused: RefusedRequest) {
  const { address, atMs, code, keyId, message, param, rejected, requestedModel } = refused;
  return {
    request_id: refused.requestId,
    key_id: keyId || null,
    error_code: code,
    at: toIsoTime(atMs),
    ...(address ? { address } : {}),
    message: message.slice(0, MESSAGE_LENGTH_MAX),
    param: param?.slice(0, MESSAGE_LENGTH_MAX) ?? null,
    // An empty name is none that can be told.
    requested_model: requestedModel?.slice(0, MODEL_LENGTH_MAX) || null,
    ...(rejected.length === 0
      ? {}
      : {
          rejected: rejected.map(({ channelId, retryAfterMs: ms, ...rest }) => ({
            channel_id: channelId,
            ...rest,
            ...(ms === undefined ? {} : { retry_after_ms: ms }),
          })),
        }),
  };
}

function toUnauthorizedData(refused: RefusedRequest) {
  const { accountId, address, atMs, bearer, keyId, path, requestId } = refused;
  if (bearer === undefined) return [];
  const { fault, presented, slip } = bearer;
  return [
    {
      request_id: requestId,
      fault,
      presented: presented || null,
      at: toIsoTime(atMs),
      account_id: accountId || null,
      key_id: keyId || null,
      ...(address ? { address } : {}),
      ...(slip === undefined ? {} : { message: slip }),
      ...(path === undefined ? {} : { path }),
    },
  ];
}

const UNROUTED = 'NOT_FOUND' satisfies ErrorCode;

function toUnroutedData({ address, atMs, code, message, requestId, unrouted }: RefusedRequest) {
  if (unrouted === undefined) return [];
  return [
    {
      request_id: requestId,
      path: unrouted.path,
      message: message.slice(0, MESSAGE_LENGTH_MAX),
      presented: unrouted.presented || null,
      ...(code === UNROUTED ? {} : { error_code: code }),
      ...(address ? { address } : {}),
      at: toIsoTime(atMs),
    },
  ];
}
