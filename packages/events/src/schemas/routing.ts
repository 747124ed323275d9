import { z } from 'zod';
import { identifier, shortName, shortText } from './primitives';

const channel = {
  channel_id: identifier,
  name: shortName,
  owner_account_id: identifier
    .nullable()
    .describe('The owning account; null for a shared channel.'),
  reason: shortText,
};

export const channelDisabled = z
  .object(channel)
  .describe('A channel was taken out of service because it kept failing or was turned off.');

export const channelRecovered = z
  .object(channel)
  .describe('A channel that was out of service works again.');
