import { type Clock, type Logger, type Timer, waitAtMost } from '@tollgate/core';
import type { Readiness, ServiceModule } from './service-module';

/** The whole process's readiness, module by module. */
export interface ReadinessReport {
  readonly ready: boolean;
  readonly modules: Readonly<Record<string, Readiness>>;
}

export interface ModuleTableOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** The longest a single module's start may take. */
  readonly startTimeoutMs: number;
  /** The longest a single module's stop may take. */
  readonly stopTimeoutMs: number;
}

/**
 * Starts, drains and stops a set of modules.
 *
 * ```
 * idle -- start --> starting --> serving -- drain --> draining --> drained
 *                      |            |                                 |
 *                      '-- fails ---+------------- stop --------------+--> stopped
 * ```
 */
export interface ModuleTable {
  /** In dependency order. When one fails, those started are stopped and its error is thrown. */
  start(): Promise<void>;
  /**
   * Not ready from now on: drains in reverse order within the time given. Throws an
   * AggregateError when a module could not finish; the others were drained nevertheless.
   */
  drain(deadlineMs: number): Promise<void>;
  /** In reverse order, whatever fails; throws an AggregateError of the failures. */
  stop(): Promise<void>;
  /** Not ready from now on, and every module hears of it; the first step of a shutdown. */
  leave(reason: string): void;
  readiness(): ReadinessReport;
}

export function createModuleTable(
  modules: readonly ServiceModule[],
  options: ModuleTableOptions,
): ModuleTable {
  const { clock, logger } = options;
  const ordered = startOrder(modules);
  const started: ServiceModule[] = [];
  let serving = false;
  let leavesBecause: string | undefined;

  async function stopStarted(): Promise<readonly Error[]> {
    const failures: Error[] = [];
    for (let module = started.pop(); module !== undefined; module = started.pop()) {
      const { name } = module;
      const current = module;
      try {
        await withinDeadline(clock, options.stopTimeoutMs, `stop of ${name}`, () => current.stop());
        logger.debug({ module: name }, 'module stopped');
      } catch (cause) {
        failures.push(new Error(`${name} did not stop cleanly`, { cause }));
        logger.error({ module: name, error: cause }, 'module did not stop cleanly');
      }
    }
    return failures;
  }

  async function startOne(module: ServiceModule): Promise<void> {
    const beganMs = clock.monotonicMs();
    started.push(module);
    const what = `start of ${module.name}`;
    await withinDeadline(clock, options.startTimeoutMs, what, () => module.start());
    const tookMs = Math.round(clock.monotonicMs() - beganMs);
    logger.debug({ module: module.name, tookMs }, 'module started');
  }

  return {
    async start() {
      for (const module of ordered) {
        // A signal may have come meanwhile; what follows is not wanted any more.
        if (leavesBecause !== undefined) return;
        try {
          await startOne(module);
        } catch (cause) {
          await stopStarted();
          throw new StartError(module.name, cause);
        }
      }
      serving = true;
    },
    async drain(deadlineMs) {
      leavesBecause ??= 'draining';
      const failures = await drainAll([...started].reverse(), deadlineMs, options);
      if (failures.length > 0) throw new AggregateError(failures, 'work was left unfinished');
    },
    async stop() {
      leavesBecause ??= 'stopping';
      const failures = await stopStarted();
      if (failures.length > 0) throw new AggregateError(failures, 'modules did not stop cleanly');
    },
    leave(reason) {
      if (leavesBecause !== undefined) return;
      leavesBecause = reason;
      for (const module of started) module.leave?.();
    },
    readiness: () => reportReadiness(ordered, leavesBecause ?? (serving ? undefined : 'starting')),
  };
}

/** Drains one after the other until the time is up; the late ones get what is left of it. */
async function drainAll(
  modules: readonly ServiceModule[],
  deadlineMs: number,
  { clock, logger }: ModuleTableOptions,
): Promise<readonly Error[]> {
  const endMs = clock.monotonicMs() + deadlineMs;
  const failures: Error[] = [];
  for (const module of modules) {
    if (module.drain === undefined) continue;
    const leftMs = Math.max(0, endMs - clock.monotonicMs());
    const reminder = logWhatIsAwaited(module, clock, logger);
    try {
      const drain = module.drain.bind(module, leftMs);
      await withinDeadline(clock, leftMs, `drain of ${module.name}`, drain);
    } catch (cause) {
      failures.push(new Error(`${module.name} did not finish its work`, { cause }));
      logger.error({ module: module.name, error: cause }, 'module did not finish its work');
    } finally {
      reminder.cancel();
    }
  }
  return failures;
}

const LOG_EVERY_MS = 2000;

/** Logs from time to time what a stop still waits for, for the person who pressed Ctrl-C. */
function logWhatIsAwaited(module: ServiceModule, clock: Clock, logger: Logger): Timer {
  const log = () => {
    const waitsFor = module.waitsFor?.();
    if (waitsFor !== undefined) logger.info({ module: module.name, waitsFor }, 'still stopping');
    timer = clock.schedule(LOG_EVERY_MS, log);
  };
  let timer = clock.schedule(LOG_EVERY_MS, log);
  return { cancel: () => timer.cancel() };
}

/** A module failed to start; the cause says why. */
class StartError extends Error {
  override readonly name = 'StartError';

  constructor(module: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`${module} could not start: ${reason}`, { cause });
  }
}

/** `reason` is why the whole process is not ready. */
function reportReadiness(
  modules: readonly ServiceModule[],
  reason: string | undefined,
): ReadinessReport {
  const entries = modules.map((module): [string, Readiness] => {
    if (reason !== undefined) return [module.name, { ready: false, reasons: [reason] }];
    return [module.name, module.readiness()];
  });
  const ready = reason === undefined && entries.every(([, readiness]) => readiness.ready);
  return { ready, modules: Object.fromEntries(entries) };
}

/**
 * The modules so that each comes after those it depends on, otherwise in the given order.
 * Dependencies that are not among them run elsewhere and do not count. Throws on a cycle or a
 * repeated name, naming the modules.
 */
function startOrder(modules: readonly ServiceModule[]): readonly ServiceModule[] {
  const byName = new Map<string, ServiceModule>();
  for (const module of modules) {
    if (byName.has(module.name)) throw new Error(`module ${module.name} is given twice`);
    byName.set(module.name, module);
  }
  const ordered = new Set<ServiceModule>();

  function visit(module: ServiceModule, path: readonly string[]): void {
    if (ordered.has(module)) return;
    if (path.includes(module.name)) {
      throw new Error(`modules depend on each other: ${[...path, module.name].join(' -> ')}`);
    }
    for (const name of module.dependsOn ?? []) {
      const dependency = byName.get(name);
      if (dependency !== undefined) visit(dependency, [...path, module.name]);
    }
    ordered.add(module);
  }

  for (const module of modules) visit(module, []);
  return [...ordered];
}

/** The work did not end in time. It may still be running. */
class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/** Resolves with the work, or rejects with a DeadlineError after `deadlineMs`. */
async function withinDeadline(
  clock: Clock,
  deadlineMs: number,
  what: string,
  work: () => Promise<void>,
): Promise<void> {
  // A synchronous throw of `work` is a rejection too.
  const running = Promise.resolve().then(work);
  if (await waitAtMost(clock, deadlineMs, running)) return running;
  throw new DeadlineError(`${what} did not end within ${Math.round(deadlineMs)} ms`);
}
