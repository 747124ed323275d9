import { type Nano, nano } from '@tollgate/core';

/** The sum, still inside Int64; throws RangeError otherwise. */
export function plus(a: Nano, b: Nano): Nano {
  return nano(a + b);
}

/** The difference; the caller knows that it is not negative, and the account check would say. */
export function minus(a: Nano, b: Nano): Nano {
  return nano(a - b);
}

/** `a - b`, or 0 where that would be negative. */
export function minusToZero(a: Nano, b: Nano): Nano {
  return a > b ? nano(a - b) : nano(0n);
}
