import { nano } from '@tollgate/core';
import { documentsOf, type MongoStore } from '@tollgate/mongo';
import type { Plan } from '../domain/plans';
import type { PlanStore } from '../domain/ports';

export const PLANS = 'billing_plans';

interface VersionDocument {
  readonly version: number;
  readonly name: string;
  /** Absent means unlimited. */
  readonly requests_per_minute?: number;
  readonly requests_per_day?: number;
  readonly concurrent_requests?: number;
  readonly price: bigint;
  readonly included_credit: bigint;
  readonly groups: readonly string[];
  readonly models: readonly string[];
  /** Absent in versions from before there was a choice: they are kept. */
  readonly keep_answers?: boolean;
  /** Absent in a plan that says nothing of it. */
  readonly thresholds?: { readonly amounts: readonly bigint[]; readonly days: readonly number[] };
  readonly changed_at: Date;
}

export interface PlanDocument {
  readonly _id: string;
  /** The effect that made it, so that a repetition finds it; `specification` of the first plans. */
  readonly made_by: string;
  /** Number of the newest version. */
  readonly version: number;
  /** Oldest first; the last ones where there were very many. */
  readonly versions: readonly VersionDocument[];
}

/** Versions that are kept. */
const VERSIONS_MAX = 200;

/** A plan as it is first stored. */
export function toPlanDocument(plan: Plan, effectId: string): PlanDocument {
  const { id: _id, version } = plan;
  return { _id, made_by: effectId, version, versions: [toVersion(plan)] };
}

function toVersion(plan: Plan): VersionDocument {
  const { version, name, price, groups, models } = plan;
  const { requestsPerMinute, requestsPerDay, concurrentRequests, thresholds } = plan;
  return {
    version,
    name,
    price,
    groups,
    models,
    ...(requestsPerMinute === undefined ? {} : { requests_per_minute: requestsPerMinute }),
    ...(requestsPerDay === undefined ? {} : { requests_per_day: requestsPerDay }),
    ...(concurrentRequests === undefined ? {} : { concurrent_requests: concurrentRequests }),
    included_credit: plan.includedCredit,
    keep_answers: plan.keepAnswers,
    ...(thresholds === undefined ? {} : { thresholds }),
    changed_at: new Date(plan.changedAtMs),
  };
}

function fromVersion(id: string, document: VersionDocument): Plan {
  const { version, name, groups, models, thresholds } = document;
  return {
    id,
    name,
    version,
    groups,
    models,
    period: 'month',
    requestsPerMinute: document.requests_per_minute,
    requestsPerDay: document.requests_per_day,
    concurrentRequests: document.concurrent_requests,
    price: nano(BigInt(document.price)),
    includedCredit: nano(BigInt(document.included_credit)),
    keepAnswers: document.keep_answers ?? true,
    thresholds: thresholds && {
      amounts: thresholds.amounts.map((amount) => nano(BigInt(amount))),
      days: thresholds.days,
    },
    changedAtMs: document.changed_at.getTime(),
  };
}

/**
 * Plans in the document store, each with its versions in one document. The newest versions are
 * remembered: they are listed every few seconds, and a plan may have hundreds of older ones.
 */
export function createPlanStore(mongo: MongoStore): PlanStore {
  const plans = documentsOf<PlanDocument>(mongo, PLANS);
  let newest: ReadonlyMap<string, Plan> = new Map();
  return {
    async list() {
      const known = newest;
      const present = await plans.list({}, { projection: { version: 1 } });
      const changed = present.filter(({ _id, version }) => known.get(_id)?.version !== version);
      const read = new Map<string, Plan>();
      if (changed.length > 0) {
        const filter = { _id: { $in: changed.map(({ _id }) => _id) } };
        for (const { _id, versions } of await plans.list(filter)) {
          const last = versions.at(-1);
          if (last !== undefined) read.set(_id, fromVersion(_id, last));
        }
      }
      const listed = present.flatMap(({ _id }) => read.get(_id) ?? known.get(_id) ?? []);
      newest = new Map(listed.map((plan) => [plan.id, plan]));
      return listed;
    },
    async versions(id) {
      const found = await plans.find({ _id: id });
      return (found?.versions ?? []).map((version) => fromVersion(id, version)).reverse();
    },
    create: (plan, effectId) => plans.insert(toPlanDocument(plan, effectId)),
    effectIdOf: async (id) => (await plans.find({ _id: id }))?.made_by,
    addVersion(plan) {
      const { id: _id, version } = plan;
      const versions = { $each: [toVersion(plan)], $slice: -VERSIONS_MAX };
      const update = { $set: { version }, $push: { versions } };
      return plans.update({ _id, version: version - 1 }, update);
    },
  };
}
