import { PLANS, type Plan } from '../domain/plans';

/** The plan table, cheapest first. */
export type ListPlansOperation = () => readonly Plan[];

export function createListPlans(): ListPlansOperation {
  return () => PLANS;
}
