import type { FullPlan, NewPlan, PlanChanges } from '../../api/schemas';
import { type Check, isAmount, isLimit, isName } from '../../components/checks';
import {
  byLimit,
  changedFields,
  fromLimit,
  type LimitsDraft,
  toLimit,
} from '../../components/drafts';
import {
  LISTS_RULES,
  type ThresholdLists,
  toLists,
  toListsDraft,
} from '../billing/thresholds-draft';

/** A plan as the form holds it: an empty limit is none. */
export interface PlanDraft extends LimitsDraft {
  id: string;
  name: string;
  price: string;
  included_credit: string;
  groups: string[];
  models: string[];
  keep_answers: boolean;
  /** Thresholds; without them accounts of the plan are told at a tenth of their last credit. */
  hasThresholds: boolean;
  thresholds: ThresholdLists;
}

export const EMPTY_PLAN: PlanDraft = {
  id: '',
  name: '',
  ...byLimit(() => ''),
  price: '0.00',
  included_credit: '0.00',
  groups: [],
  models: [],
  keep_answers: true,
  hasThresholds: false,
  thresholds: { amounts: [], days: [] },
};

const ID = /^[a-z][a-z0-9_-]{0,31}$/;

/** A plan has no limit of 0: nothing of its accounts would pass. */
const isPlanLimit: Check = (value) =>
  /^\s*0+\s*$/.test(value) ? 'At least 1, or none for no limit' : isLimit(value);

export const PLAN_RULES = {
  id: (value: string) =>
    ID.test(value) ? null : 'A small letter, then small letters, digits, dashes and underscores',
  name: isName,
  ...byLimit(() => isPlanLimit),
  price: isAmount,
  included_credit: isAmount,
  thresholds: LISTS_RULES,
};

export function toNewPlan(draft: PlanDraft): NewPlan {
  return { id: draft.id, ...toSettings(draft) };
}

/** The fields that differ from the plan as it is. */
export function toPlanChanges(draft: PlanDraft, plan: FullPlan): PlanChanges {
  return changedFields(toSettings(toPlanDraft(plan)), toSettings(draft));
}

export function toPlanDraft(plan: FullPlan): PlanDraft {
  return {
    id: plan.id,
    name: plan.name,
    ...byLimit((name) => (plan[name] === null ? '' : fromLimit(plan[name]))),
    price: plan.price.amount,
    included_credit: plan.included_credit,
    groups: plan.groups,
    models: plan.models,
    keep_answers: plan.keep_answers,
    hasThresholds: plan.thresholds !== null,
    thresholds: toListsDraft(plan.thresholds ?? { amounts: [], days: [] }),
  };
}

function toSettings(draft: PlanDraft) {
  const { name, price, included_credit, groups, models, keep_answers, thresholds } = draft;
  return {
    name: name.trim(),
    ...byLimit((limit) => toLimit(draft[limit]) ?? null),
    price: price.trim(),
    included_credit: included_credit.trim(),
    groups,
    models,
    keep_answers,
    thresholds: draft.hasThresholds ? toLists(thresholds) : null,
  };
}
