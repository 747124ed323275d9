import {
  ENDPOINT_BOUNDS,
  invalid,
  WEBHOOK_EVENT_TYPES,
  type WebhookEventType,
} from '@tollgate/core';
import type { Endpoint, EndpointStatus } from './endpoint';
import { isWebhookEventType } from './webhook-event';

/** Settings as a client sends them; absent members keep their value. */
export interface EndpointSettings {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly status?: EndpointStatus;
  readonly description?: string;
}

/** Settings that passed the checks. */
export type CheckedSettings = Pick<Endpoint, 'url' | 'events' | 'status' | 'description'>;

/** Settings of a new endpoint: url and events are required. */
export function completeNewSettings(settings: EndpointSettings): CheckedSettings {
  return checkSettings({ url: '', events: [], status: 'enabled', description: '' }, settings);
}

/** The present settings with the asked changes; throws VALIDATION_ERROR with the field at fault. */
export function checkSettings(
  present: CheckedSettings,
  settings: EndpointSettings,
): CheckedSettings {
  const { urlLengthMax, descriptionLengthMax } = ENDPOINT_BOUNDS;
  const url = settings.url ?? present.url;
  if (url === '' || url.length > urlLengthMax) {
    throw invalid('url', `The url must have 1 to ${urlLengthMax} characters.`);
  }
  const description = settings.description ?? present.description;
  if (description.length > descriptionLengthMax) {
    throw invalid(
      'description',
      `The description must have at most ${descriptionLengthMax} characters.`,
    );
  }
  if (settings.status === 'auto_disabled') {
    throw invalid('status', 'The status can be set to enabled or disabled.');
  }
  return {
    url,
    description,
    status: settings.status ?? present.status,
    events: checkEvents(settings.events ?? present.events),
  };
}

function checkEvents(events: readonly string[]): readonly WebhookEventType[] {
  const distinct = [...new Set(events)];
  const unknown = distinct.find((name) => !isWebhookEventType(name));
  if (unknown !== undefined || distinct.length === 0) {
    throw invalid('events', `The events must be one or more of ${WEBHOOK_EVENT_TYPES.join(', ')}.`);
  }
  return distinct.filter(isWebhookEventType);
}
