import type { Id, WebhookEventType } from '@tollgate/core';

export type EndpointId = Id<'webhook'>;

/**
 * enabled ⇄ disabled by its owner; enabled → auto_disabled by answer 410, by days of nothing but
 * failures, or by a full queue; auto_disabled → enabled by its owner.
 */
export const ENDPOINT_STATUSES = ['enabled', 'disabled', 'auto_disabled'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

/** A signing secret at rest. */
export interface SealedSecret {
  readonly sealed: string;
  /** Until when it still signs; null for the current one. */
  readonly expiresAtMs: number | null;
}

/** How the receiver has been doing. */
export interface EndpointHealth {
  readonly lastDeliveryAtMs: number | null;
  readonly lastStatusCode: number | null;
  readonly consecutiveFailures: number;
  /** When the first of the present failures happened; null after a success. */
  readonly failingSinceMs: number | null;
}

/** A receiver of an account. */
export interface Endpoint extends EndpointHealth {
  readonly id: EndpointId;
  readonly accountId: string;
  readonly url: string;
  readonly events: readonly WebhookEventType[];
  readonly status: EndpointStatus;
  readonly description: string;
  /** An operator last decided where its events go: events of shared channels reach it. */
  readonly operator: boolean;
  /** The current one first, then at most one that is being rotated out. */
  readonly secrets: readonly SealedSecret[];
  /** Which request gave it its current secret; absent before the first rotation. */
  readonly lastRotationId?: string;
  readonly createdAtMs: number;
  /** Grows with every change by people; the guard of the next one. */
  readonly revision: number;
  /** A lower bound of the newest sequence number; exact once no delivery beyond it is kept. */
  readonly lastSequence: number;
}

/** An endpoint as answers show it and may keep it. */
export type EndpointView = Omit<Endpoint, 'secrets'>;

export function endpointViewOf(endpoint: Endpoint): EndpointView {
  const { secrets: _, ...view } = endpoint;
  return view;
}

/** The health of a new endpoint. */
export const NEW_ENDPOINT_HEALTH: EndpointHealth = {
  lastDeliveryAtMs: null,
  lastStatusCode: null,
  consecutiveFailures: 0,
  failingSinceMs: null,
};
