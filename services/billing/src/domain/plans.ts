import { type Nano, nano } from '@tollgate/core';

/** What a plan allows and shows. Its price and credit are shown, not charged. */
export interface Plan {
  readonly id: string;
  readonly name: string;
  /** Undefined means unlimited. */
  readonly requestsPerMinute: number | undefined;
  readonly requestsPerDay: number | undefined;
  readonly concurrentRequests: number;
  readonly price: Nano;
  readonly period: 'month';
  readonly includedCredit: Nano;
}

function units(whole: bigint): Nano {
  return nano(whole * 1_000_000_000n);
}

/** The plan table of the specification, cheapest first. */
export const PLANS: readonly Plan[] = [
  {
    id: 'free',
    name: 'Free',
    requestsPerMinute: 60,
    requestsPerDay: 1_000,
    concurrentRequests: 5,
    price: units(0n),
    period: 'month',
    includedCredit: units(0n),
  },
  {
    id: 'smart',
    name: 'Smart',
    requestsPerMinute: 300,
    requestsPerDay: 10_000,
    concurrentRequests: 20,
    price: units(20n),
    period: 'month',
    includedCredit: units(20n),
  },
  {
    id: 'professional',
    name: 'Professional',
    requestsPerMinute: 1_000,
    requestsPerDay: 50_000,
    concurrentRequests: 50,
    price: units(100n),
    period: 'month',
    includedCredit: units(100n),
  },
  {
    id: 'enterprise',
    name: 'Enterprise',
    requestsPerMinute: undefined,
    requestsPerDay: undefined,
    concurrentRequests: 200,
    price: units(1_000n),
    period: 'month',
    includedCredit: units(1_000n),
  },
];
