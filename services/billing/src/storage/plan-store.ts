import type { Logger } from '@tollgate/core';
import {
  AMOUNT,
  AS_IS,
  codecOf,
  dated,
  documentsOf,
  eachOf,
  type MongoStore,
  named,
  type RecordForm,
} from '@tollgate/mongo';
import type { Thresholds } from '../domain/account';
import type { Plan } from '../domain/plans';
import type { PlanStore } from '../domain/ports';
import { COLLECTIONS } from './collections';

type Version = Omit<Plan, 'id' | 'period'>;

const THRESHOLDS = {
  amounts: { codec: eachOf(AMOUNT.codec) },
  days: AS_IS,
} satisfies RecordForm<Thresholds>;

const VERSION = {
  version: AS_IS,
  name: AS_IS,
  price: AMOUNT,
  groups: AS_IS,
  models: AS_IS,
  // Absent means unlimited.
  requestsPerMinute: named('requests_per_minute'),
  requestsPerDay: named('requests_per_day'),
  concurrentRequests: named('concurrent_requests'),
  includedCredit: { ...named('included_credit'), ...AMOUNT },
  keepAnswers: named('keep_answers'),
  thresholds: { codec: codecOf<Thresholds, typeof THRESHOLDS>(THRESHOLDS) },
  changedAtMs: dated('changed_at'),
} satisfies RecordForm<Version>;

const codec = codecOf<Version, typeof VERSION>(VERSION);

type VersionDocument = ReturnType<typeof codec.encode>;

export interface PlanDocument {
  readonly _id: string;
  /**
   * The effect that made it, so that a repetition finds it. The plans that a migration made have
   * `specification`, which is no effect's id.
   */
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

function toVersion({ id: _id, period: _period, ...version }: Plan): VersionDocument {
  return codec.encode(version);
}

function fromVersion(id: string, document: VersionDocument): Plan {
  return { id, period: 'month', ...codec.decode(document) };
}

/**
 * Plans in the document store, each with its versions in one document. The newest versions are
 * remembered: they are listed every few seconds, and a plan may have hundreds of older ones. A plan
 * that cannot be read, such as one whose price was mended by hand into a fraction, keeps no other
 * from the list: it stays as it was read before, or is left out.
 */
export function createPlanStore(mongo: MongoStore, logger: Logger): PlanStore {
  const plans = documentsOf<PlanDocument>(mongo, COLLECTIONS.plans);
  let newest: ReadonlyMap<string, Plan> = new Map();
  return {
    async list() {
      const known = newest;
      const present = await plans.list({}, { projection: { version: 1 } });
      const changed = present.filter(({ _id, version }) => known.get(_id)?.version !== version);
      const read = new Map<string, Plan>();
      if (changed.length > 0) {
        const filter = { _id: { $in: changed.map(({ _id }) => _id) } };
        for (const { _id: plan, versions } of await plans.list(filter)) {
          try {
            const last = versions.at(-1);
            if (last !== undefined) read.set(plan, fromVersion(plan, last));
          } catch (error) {
            logger.error({ plan, error }, 'a plan is not up to date: its document cannot be read');
          }
        }
      }
      const listed = present.flatMap(({ _id }) => read.get(_id) ?? known.get(_id) ?? []);
      if (listed.length === 0 && present.length > 0) throw new Error('no plan can be read');
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
