import { ERROR_CODES, type ErrorDefinition } from '@tollgate/core';
import { z } from 'zod';

/** The envelope around the payload of every success of v1; its bytes are already JSON. */
export const ENVELOPE = {
  before: '{"success":true,"data":',
  after: ',"error":null,"message":null}',
} as const;

/** The body of a success in the envelope; the message is a sentence for who reads the answer. */
export function inEnvelope(data: unknown, message?: string): string {
  const { after, before } = ENVELOPE;
  const payload = JSON.stringify(data);
  if (message === undefined) return `${before}${payload}${after}`;
  return `${before}${payload},"error":null,"message":${JSON.stringify(message)}}`;
}

/** The schema of that body, around the schema of its payload. */
export function envelopeOf(data: z.ZodType): z.ZodType {
  return z.object({
    success: z.literal(true),
    data,
    error: z.null(),
    message: z.string().nullable(),
  });
}

const PLAIN_CODES = Object.values<ErrorDefinition>(ERROR_CODES).flatMap(
  ({ openaiCode }) => openaiCode ?? [],
);

/** The schema of every failure's body. */
export const failureSchema = z.object({
  success: z.literal(false),
  data: z.null(),
  error: z.object({
    code: z.enum([...Object.keys(ERROR_CODES), ...PLAIN_CODES]),
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
  }),
  message: z.null(),
});
