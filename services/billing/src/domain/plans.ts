import {
  DISPLAY_NAME_LENGTH_MAX,
  invalid,
  type LimitName,
  type Nano,
  nano,
  PLAN_BOUNDS,
  PLAN_ID,
} from '@tollgate/core';
import type { Thresholds } from './account';
import { checkThresholds } from './thresholds';

/**
 * What a plan allows and shows at one version. Its price and credit are shown, not charged. A change
 * is the next version; what was before is kept. A limit that is undefined is unlimited.
 */
export interface Plan extends Readonly<Record<LimitName, number | undefined>> {
  readonly id: string;
  readonly name: string;
  readonly price: Nano;
  readonly period: 'month';
  readonly includedCredit: Nano;
  /** Channel groups that its accounts may name, besides the open ones and their own; sorted. */
  readonly groups: readonly string[];
  /** Models that its accounts may use; empty means every one; sorted. */
  readonly models: readonly string[];
  /** Answers are kept for a day for whoever asks for it. */
  readonly keepAnswers: boolean;
  /** For its accounts that set none; undefined means a tenth of their last credit. */
  readonly thresholds: Thresholds | undefined;
  /** From 1. */
  readonly version: number;
  /** Milliseconds since the epoch. */
  readonly changedAtMs: number;
}

/** The plan in its one form; throws VALIDATION_ERROR. */
export function checkPlan(plan: Plan): Plan {
  const { id, name, price, includedCredit } = plan;
  if (!PLAN_ID.test(id))
    throw invalid('id', 'id must be a lower-case word of at most 32 characters.');
  if (name.trim() === '' || name.length > DISPLAY_NAME_LENGTH_MAX) {
    throw invalid('name', `name must have 1 to ${DISPLAY_NAME_LENGTH_MAX} characters.`);
  }
  if (price < 0n) throw invalid('price', 'price must be 0 or more.');
  if (includedCredit < 0n) throw invalid('included_credit', 'included_credit must be 0 or more.');
  const groups = checkTexts('groups', plan.groups);
  const thresholds = plan.thresholds && checkThresholds(plan.thresholds);
  return { ...plan, groups, models: checkTexts('models', plan.models), thresholds };
}

function checkTexts(param: string, texts: readonly string[]): readonly string[] {
  const { listLengthMax, listEntryLengthMax } = PLAN_BOUNDS;
  const sorted = [...new Set(texts)].sort();
  const areNames = sorted.every((text) => text !== '' && text.length <= listEntryLengthMax);
  if (sorted.length > listLengthMax || !areNames) {
    throw invalid(param, `${param} must be a list of at most ${listLengthMax} names.`);
  }
  return sorted;
}

/** Cheapest first. */
export function comparePlans(a: Plan, b: Plan): number {
  if (a.price !== b.price) return a.price < b.price ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

/** The members that the plans of a new deployment have in common. */
const OPEN = {
  period: 'month',
  groups: [],
  models: [],
  keepAnswers: true,
  thresholds: undefined,
  version: 1,
  changedAtMs: 0,
} as const;

function units(whole: bigint): Nano {
  return nano(whole * 1_000_000_000n);
}

/** The plans with which a deployment begins; cheapest first. */
export const DEFAULT_PLANS: readonly Plan[] = [
  {
    id: 'free',
    name: 'Free',
    requestsPerMinute: 60,
    requestsPerDay: 1_000,
    concurrentRequests: 5,
    price: units(0n),
    ...OPEN,
    includedCredit: units(0n),
  },
  {
    id: 'smart',
    name: 'Smart',
    requestsPerMinute: 300,
    requestsPerDay: 10_000,
    concurrentRequests: 20,
    price: units(20n),
    ...OPEN,
    includedCredit: units(20n),
  },
  {
    id: 'professional',
    name: 'Professional',
    requestsPerMinute: 1_000,
    requestsPerDay: 50_000,
    concurrentRequests: 50,
    price: units(100n),
    ...OPEN,
    includedCredit: units(100n),
  },
  {
    id: 'enterprise',
    name: 'Enterprise',
    requestsPerMinute: undefined,
    requestsPerDay: undefined,
    concurrentRequests: 200,
    price: units(1_000n),
    ...OPEN,
    includedCredit: units(1_000n),
  },
];
