import type { IncomingHttpHeaders } from 'node:http';
import { COST_MAX_HEADER, type Nano, parseAmount } from '@tollgate/core';
import { z } from 'zod';
import { invalidField } from '../http/errors';
import { amountText } from '../money/amounts';

/** The most that a client lets a completion cost; undefined leaves it to the balance. */
export function readMaxCost(headers: IncomingHttpHeaders): Nano | undefined {
  const text = headers['x-tollgate-max-cost'];
  if (text === undefined) return undefined;
  const amount = typeof text === 'string' ? parseAmount(text) : undefined;
  if (amount !== undefined && amount >= 0n) return amount;
  throw invalidField(
    COST_MAX_HEADER,
    'must be a decimal amount such as "0.05", at least 0, with at most 9 fraction digits.',
  );
}

/** The header in the API's document. */
export const maxCostHeader = z.object({
  [COST_MAX_HEADER]: amountText.optional().meta({
    example: '0.05',
    description:
      'What the request may cost at most. It is refused with COST_LIMIT before a vendor is called ' +
      'when its prompt alone may cost more, each byte of text counted as a token; otherwise the ' +
      'answer ends with finish_reason length where the amount ends.',
  }),
});
