import {
  AppError,
  type Clock,
  createBoundedMap,
  createSharedWork,
  type Logger,
  type Timer,
} from '@tollgate/core';
import type { RequestLimits } from './limiter';

/** What a plan gives its accounts. */
export interface AccountPlan {
  readonly limits: RequestLimits;
  /** Channel groups that may be named, besides the default one, the account's own and its grants. */
  readonly groups: readonly string[];
  /** Models that may be used; empty means every one. */
  readonly models: readonly string[];
  /** Answers are kept for a day for whoever asks for it. */
  readonly keepAnswers: boolean;
}

/** Every plan, by plan id. */
export type PlansById = ReadonlyMap<string, AccountPlan>;

export interface PlanTableOptions {
  readonly load: () => Promise<PlansById>;
  readonly refreshIntervalMs: number;
  /** How soon a failed load is tried again. */
  readonly retryIntervalMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The plan table as billing keeps it, refreshed in the background. */
export interface PlanTable {
  /**
   * Returns the plan at once when the table has it; otherwise asks billing, and rejects with
   * SERVICE_UNAVAILABLE when that fails.
   */
  planOf(plan: string): AccountPlan | Promise<AccountPlan>;
  start(): void;
  stop(): void;
  readonly loaded: boolean;
}

/** How long a plan that billing did not know is refused without asking again. */
const UNKNOWN_MS = 1_000;
const UNKNOWN_MAX = 1_000;

/** Starts empty; a table that was loaded once serves until the next one comes. */
export function createPlanTable(options: PlanTableOptions): PlanTable {
  const { clock, logger } = options;
  let table: PlansById | undefined;
  const loading = createSharedWork<PlansById>();
  let timer: Timer | undefined;
  let stopped = false;

  const load = (): Promise<PlansById> =>
    loading.run('table', async () => {
      // No plan is ever deleted: where an answer lacks one, its replica could not read that plan.
      table = new Map([...(table ?? []), ...(await options.load())]);
      return table;
    });
  // No `repeat` of packages/jobs: a load that failed is tried again sooner than one that did not.
  const refresh = async (): Promise<void> => {
    let delayMs = options.refreshIntervalMs;
    try {
      await load();
    } catch (error) {
      delayMs = options.retryIntervalMs;
      logger.warn({ error }, 'the plan table could not be loaded; keeping the known one');
    }
    if (!stopped) timer = clock.schedule(delayMs, () => void refresh());
  };
  /** Until when each plan is not asked for: an unknown one must not load the table per request. */
  const unknownUntilMs = createBoundedMap<string, number>(UNKNOWN_MAX);
  const unknown = (plan: string): AppError =>
    // Serving without limits would be worse than not serving.
    new AppError('SERVICE_UNAVAILABLE', { internalMessage: `unknown plan ${plan}` });
  const askFor = async (plan: string): Promise<AccountPlan> => {
    if (clock.monotonicMs() < (unknownUntilMs.get(plan) ?? 0)) throw unknown(plan);
    const loaded = await load().catch((cause: unknown) => {
      throw new AppError('SERVICE_UNAVAILABLE', { cause });
    });
    const loadedPlan = loaded.get(plan);
    if (loadedPlan !== undefined) return loadedPlan;
    unknownUntilMs.set(plan, clock.monotonicMs() + UNKNOWN_MS);
    throw unknown(plan);
  };

  return {
    planOf: (plan) => table?.get(plan) ?? askFor(plan),
    start: () => void refresh(),
    stop() {
      stopped = true;
      timer?.cancel();
    },
    get loaded() {
      return table !== undefined;
    },
  };
}
