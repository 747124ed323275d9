import type { Id, WebhookEventType } from '@tollgate/core';
import type { EndpointId } from './endpoint';

export type DeliveryId = Id<'delivery'>;

/**
 * pending → succeeded or failed; pending ⇄ paused while its endpoint is disabled; succeeded and
 * failed → pending when it is asked for again. A paused delivery is called held; `paused` is the
 * stored name.
 */
export type DeliveryStatus = 'pending' | 'paused' | 'succeeded' | 'failed';

/** One event on its way to one endpoint. */
export interface Delivery {
  readonly id: DeliveryId;
  readonly endpointId: EndpointId;
  readonly accountId: string;
  /** Place among the endpoint's deliveries, gapless from 1. */
  readonly sequence: number;
  readonly eventKey: string;
  readonly eventId: string;
  readonly eventType: WebhookEventType;
  /** The exact JSON text that is signed and sent, the same in every attempt. */
  readonly body: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  /** Attempts since it was last asked for: the place in the retry schedule. */
  readonly attemptsInRound: number;
  readonly lastStatusCode: number | null;
  /** A sentence of our own; empty when the last attempt succeeded or none was made. */
  readonly lastError: string;
  /** When the next attempt is made, or a lost one is made again. */
  readonly dueAtMs: number;
  /** Until when an attempt that is being made has the delivery for itself; 0 when none is. */
  readonly claimedUntilAtMs: number;
  readonly createdAtMs: number;
  readonly deliveredAtMs: number | null;
}

/** A delivery as answers show it and may keep it: what happened is in its body alone. */
export type DeliveryView = Omit<Delivery, 'body'>;

export function deliveryViewOf(delivery: Delivery): DeliveryView {
  const { body: _, ...view } = delivery;
  return view;
}

/** The JSON text that a receiver gets. */
export function composeBody(
  event: { readonly eventId: string; readonly type: WebhookEventType; readonly createdAt: string },
  sequence: number,
  data: Readonly<Record<string, unknown>>,
): string {
  const { eventId: id, type, createdAt: created_at } = event;
  return JSON.stringify({ id, type, created_at, sequence, data });
}
