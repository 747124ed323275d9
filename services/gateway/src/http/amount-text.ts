import { parseAmount } from '@tollgate/core';
import { z } from 'zod';

/** Below 9.2 billion: nano-units have 63 bits. */
export const AMOUNT_PATTERN = '(\\d{1,9}|[0-8]\\d{9}|9[01]\\d{8})(\\.\\d{1,9})?';

/** Money in a request: a decimal string, never a number. */
export const amountText = z
  .string()
  .refine(
    (text) => {
      const amount = parseAmount(text);
      return amount !== undefined && amount >= 0n;
    },
    {
      error:
        'must be a decimal string such as "10.00", at least 0, with at most 9 fraction digits.',
      // A text that is no amount at all must not reach the refinements that read one.
      abort: true,
    },
  )
  .meta({ example: '10.00', pattern: `^${AMOUNT_PATTERN}$` });
