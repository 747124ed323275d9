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
  .describe(
    'A channel was disabled automatically: its vendor refused the credential, or says that its ' +
      'account is out of credit.',
  );

export const channelRecovered = z
  .object(channel)
  .describe(
    'A channel that was disabled automatically is enabled again, because a check succeeded.',
  );
