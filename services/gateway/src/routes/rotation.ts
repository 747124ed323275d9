import { GRACE_PERIOD_S_MAX } from '@tollgate/core';
import { z } from 'zod';

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
