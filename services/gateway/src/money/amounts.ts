import { AppError, formatAmount, type Nano, parseAmount, parseNano } from '@tollgate/core';
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

/** An amount in nano-units as the API writes it. */
export function toAmount(nanoText: string): string {
  return formatAmount(parseNano(nanoText));
}

/** A decimal amount that was checked already. */
export function fromAmount(text: string): Nano {
  const amount = parseAmount(text);
  if (amount === undefined) throw new AppError('VALIDATION_ERROR');
  return amount;
}

/** Money in a request that has to be some. */
export const positiveAmountText = amountText
  .refine((text) => fromAmount(text) > 0n, 'must be more than 0.')
  .meta({ example: '10.00', pattern: `^(?!0+(\\.0+)?$)${AMOUNT_PATTERN}$` });

const amounts = z.registry<{ readonly isAmount: true }>();

/** Money in an answer. */
export const amount = z.string().meta({ example: '10.00' }).register(amounts, { isAmount: true });

/** Whether the schema is `amount`, described further or not. */
export function isAmount(schema: z.ZodType): boolean {
  return amounts.get(schema) !== undefined;
}

/** Hundredths of a per cent as text: 1250 as "12.50". */
export function toPercent(hundredths: bigint): string {
  const absolute = hundredths < 0n ? -hundredths : hundredths;
  const fraction = String(absolute % 100n).padStart(2, '0');
  return `${hundredths < 0n ? '-' : ''}${absolute / 100n}.${fraction}`;
}
