import { AppError, type Clock, type Logger, type Timer } from '@tollgate/core';
import type { RequestLimits } from './limiter';

/** Limits of every plan, by plan id. */
export type PlanLimits = ReadonlyMap<string, RequestLimits>;

export interface PlanTableOptions {
  readonly load: () => Promise<PlanLimits>;
  readonly refreshIntervalMs: number;
  /** How soon a failed load is tried again. */
  readonly retryIntervalMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The plan table as billing keeps it, refreshed in the background. */
export interface PlanTable {
  /** At once when the table is known; otherwise asks, and rejects with SERVICE_UNAVAILABLE. */
  limitsOf(plan: string): RequestLimits | Promise<RequestLimits>;
  start(): void;
  stop(): void;
  readonly loaded: boolean;
}

/** Starts empty; a table that was loaded once serves until the next one comes. */
export function createPlanTable(options: PlanTableOptions): PlanTable {
  const { clock, logger } = options;
  let table: PlanLimits | undefined;
  let loading: Promise<PlanLimits> | undefined;
  let timer: Timer | undefined;
  let stopped = false;

  const load = (): Promise<PlanLimits> => {
    loading ??= options
      .load()
      .then((loaded) => {
        table = loaded;
        return loaded;
      })
      .finally(() => {
        loading = undefined;
      });
    return loading;
  };
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
  const askFor = async (plan: string): Promise<RequestLimits> => {
    const loaded = await load().catch((cause: unknown) => {
      throw new AppError('SERVICE_UNAVAILABLE', { cause });
    });
    const limits = loaded.get(plan);
    if (limits !== undefined) return limits;
    // Serving without limits would be worse than not serving.
    throw new AppError('SERVICE_UNAVAILABLE', { internalMessage: `unknown plan ${plan}` });
  };

  return {
    limitsOf: (plan) => table?.get(plan) ?? askFor(plan),
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
