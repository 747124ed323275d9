import { z } from 'zod';
import { count, shortName, shortText } from './primitives';
import { usageRecord } from './usage';

/**
 * The traces of a message that a consumer could not use. The message itself is not kept: content
 * that fits no schema may hold anything, a prompt or a secret too.
 */
export const deadLetterRecorded = z
  .object({
    source_topic: shortName,
    group: shortName.describe('The consumer group that gave up on the message.'),
    reason: shortText.describe('What was wrong with it; names fields, never their values.'),
    event_id: z.string().max(128).nullable().describe('Id of the event, when one could be read.'),
    key: z.string().max(128).nullable().describe('Key of the message, when it looks like one.'),
    payload_sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe(
        "SHA-256 of the message, in hex, which itself is not kept; in billing's own letters, of `record`.",
      ),
    payload_bytes: count,
    record: usageRecord
      .nullable()
      .describe(
        'The usage record that billing refused, as the ledger keeps it, or as it came where the ledger has none; null for every other dead letter.',
      ),
  })
  .describe('A consumer met a message that it could not use.');
