import type { Account, AccountChanges } from '../../api/schemas';
import { isLimit, isName, isPercent } from '../../components/checks';
import {
  byLimit,
  changedFields,
  fromLimit,
  LIMIT_NAMES,
  type LimitsDraft,
  toLimit,
} from '../../components/drafts';

/** An account's settings as the form holds them: an empty limit is that of the plan. */
export interface TermsDraft extends LimitsDraft {
  name: string;
  plan: string;
  groups: string[];
  models: string[];
  discount: string;
}

export const TERMS_RULES = {
  name: isName,
  ...byLimit(() => isLimit),
  discount: isPercent,
};

export function toTermsDraft({ name, plan, overrides }: Account): TermsDraft {
  const { limits, groups, models, discount } = overrides;
  return {
    name,
    plan,
    ...byLimit((limit) => fromLimit(limits[limit])),
    groups,
    models,
    discount,
  };
}

/** The fields that differ from the account as it is; its plan has a write of its own. */
export function toAccountChanges(draft: TermsDraft, account: Account): AccountChanges {
  const overrides = changedFields(toOverrides(toTermsDraft(account)), toOverrides(draft));
  const name = draft.name.trim();
  return {
    ...(name === account.name ? {} : { name }),
    ...(Object.keys(overrides).length === 0 ? {} : { overrides }),
  };
}

function toOverrides(draft: TermsDraft) {
  const given = LIMIT_NAMES.map((name) => [name, toLimit(draft[name])] as const);
  return {
    limits: Object.fromEntries(given.filter(([, limit]) => limit !== undefined)),
    groups: draft.groups,
    models: draft.models,
    discount: draft.discount.trim(),
  };
}
