import {
  DISPLAY_NAME_LENGTH_MAX,
  GRACE_PERIOD_S_MAX,
  GROUP_NAME,
  INVISIBLE_CHARACTERS,
  OWN_GROUP,
} from '@tollgate/core';
import { z } from 'zod';

// Values of requests and answers that have one form whatever resource they are of. What belongs to
// one subject is beside it: money in money/, usage in requests/usage-fields.ts.

/** Text that is absent when the other service sends nothing. */
export function textOrNull(text: string): string | null {
  return text === '' ? null : text;
}

const VISIBLE = new RegExp(`^[^${INVISIBLE_CHARACTERS}]+$`);

/** The name that people give an account, a key, a channel or themselves. */
export const displayText = z
  .string()
  .min(1)
  .max(DISPLAY_NAME_LENGTH_MAX)
  .regex(VISIBLE, 'must have no control characters and no invisible ones.')
  // Spaces around a name are taken off, and something has to remain.
  .meta({
    pattern:
      `^[^${INVISIBLE_CHARACTERS}]*[^\\s${INVISIBLE_CHARACTERS}]` + `[^${INVISIBLE_CHARACTERS}]*$`,
  });

/** The name of a channel group. */
export const groupName = z
  .string()
  .regex(GROUP_NAME, 'must be lower-case letters, digits and dashes.')
  .refine((name) => name !== OWN_GROUP, "is reserved for an account's own channels.")
  .meta({ pattern: GROUP_NAME.source.replace('^', `^(?!${OWN_GROUP}$)`) });

/** A time in an answer or a request. */
export const isoTime = z.iso
  .datetime({ offset: true })
  .meta({ example: '2026-01-31T12:00:00.000Z' });

/** The id of a path. Any text is looked up: a malformed one is simply not there. */
export const idParams = z.object({ id: z.string() });

/** Bodies of answers bear the id behind a prefix of their format: who has only the body may use it. */
export const requestIdParams = z.object({
  request_id: z.string().overwrite((id) => id.replace(/^(?:chatcmpl-|resp_|msg_)(?=req_)/, '')),
});

/** The form of an address that the service will call. */
export const HTTP_URL = '^https?://[!-~]+$';
export const HTTP_URL_RULE = 'must be an absolute URL that this deployment may call';

/** The body of a command that takes nothing: whoever sends a field expects it to do something. */
export const noFields = z.strictObject({});

const GRACE_DEFAULT_S = 86_400;

/** The body of a rotation; the description says what goes on with the old secret meanwhile. */
export function gracePeriodBody(description: string) {
  return z.strictObject({
    grace_period_seconds: z
      .int()
      .min(0)
      .max(GRACE_PERIOD_S_MAX)
      .default(GRACE_DEFAULT_S)
      .describe(description),
  });
}

/** An object that stands in the OpenAPI document under this name; no other has the name. */
export function named<Shape extends z.ZodRawShape>(id: string, shape: Shape): z.ZodObject<Shape> {
  return z.object(shape).meta({ id });
}

/** The answer of every DELETE. */
export const deletedSchema = named('Deleted', { id: z.string(), deleted: z.literal(true) });

export function toDeleted(id: string): z.infer<typeof deletedSchema> {
  return { id, deleted: true };
}

/** A whole number in a query; the message is what people read. */
export function queryInteger(min: number, max: number) {
  const rule = `must be a whole number from ${min} to ${max}.`;
  return z
    .string()
    .regex(/^\d{1,9}$/, rule)
    .transform(Number)
    .refine((value) => value >= min && value <= max, rule)
    .meta({ type: 'integer', minimum: min, maximum: max });
}

/** Something that a query may ask for; false when it is absent. */
export function queryFlag(description: string) {
  return z
    .enum(['true', 'false'], 'must be true or false.')
    .default('false')
    .transform((text) => text === 'true')
    .meta({ type: 'boolean', description });
}
