import { BILLING_CASES } from './management-cases/billing';
import { IDENTITY_CASES } from './management-cases/identity';
import type { ManagementCase } from './management-cases/management-case';
import { ROUTING_CASES } from './management-cases/routing';
import { STATS_CASES } from './management-cases/stats';
import { WEBHOOK_CASES } from './management-cases/webhook';

/** A case for every row of the path table that is not a completion. */
export const MANAGEMENT_CASES: readonly ManagementCase[] = [
  ...BILLING_CASES,
  ...IDENTITY_CASES,
  ...ROUTING_CASES,
  ...STATS_CASES,
  ...WEBHOOK_CASES,
];
