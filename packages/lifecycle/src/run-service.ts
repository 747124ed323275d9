import { delay } from '@tollgate/core';
import { createAdminServer } from './admin-server';
import type { RunnableHost } from './host';
import { createModuleTable, type ModuleTable } from './module-table';
import type { ServiceModule } from './service-module';

/** The state of a process once all its modules have started. */
export interface StartedProcess {
  readonly adminPort: number;
  isReady(): boolean;
}

export interface RunOptions {
  readonly control?: ProcessControl;
  /** Called once everything has started; `isReady` tells whether everything serves. */
  readonly onStarted?: (started: StartedProcess) => void | Promise<void>;
  /** Called last, whatever happened before. */
  readonly onStopped?: () => void | Promise<void>;
}

/** The exit codes; anything but 0 tells the supervisor that something was not right. */
export const EXIT = {
  clean: 0,
  failed: 1,
  /** Work was not finished in time: the data directory holds what is left. */
  unfinished: 3,
} as const;

/**
 * One Ctrl-C arrives several times, from the terminal and from every parent that forwards it; only
 * a signal that comes later than this is a second one.
 */
const SIGNAL_ECHO_MS = 1_000;

/**
 * Runs modules until a signal ends the process: at SIGTERM or SIGINT it leaves, waits for load
 * balancers to notice, drains, stops and exits. A second signal exits at once.
 */
export async function runService(
  host: RunnableHost,
  modules: ServiceModule | readonly ServiceModule[],
  options: RunOptions = {},
): Promise<void> {
  const { clock, logger, metrics, config } = host;
  const control = options.control ?? processControl;
  const table = createModuleTable('name' in modules ? [modules] : modules, {
    clock,
    logger,
    startTimeoutMs: config.startTimeoutMs,
    stopTimeoutMs: config.stopTimeoutMs,
  });
  const readiness = () => table.readiness();
  const { bind, adminPort: port } = config;
  const admin = createAdminServer({ bind, port, metrics, logger, readiness });
  const shutdown = createShutdown({ host, table, control, started: () => starting, ...options });

  async function start(): Promise<number> {
    const { port: adminPort } = await admin.start().catch((error: unknown) => {
      throw describePortFailure(error, config.adminPort);
    });
    await table.start();
    return adminPort;
  }
  const starting = start();
  shutdown.install(() => admin.close());
  try {
    const adminPort = await starting;
    if (shutdown.began()) return;
    logger.info({ adminPort, modules: Object.keys(readiness().modules) }, 'started');
    await options.onStarted?.({ adminPort, isReady: () => readiness().ready });
  } catch (error) {
    if (shutdown.began()) return;
    logger.error({ error }, 'could not start');
    await shutdown.endFailedStart(error);
  }
}

interface ShutdownOptions extends RunOptions {
  readonly host: RunnableHost;
  readonly table: ModuleTable;
  readonly control: ProcessControl;
  /** Settles when the start ended, well or not. */
  readonly started: () => Promise<unknown>;
}

function createShutdown(options: ShutdownOptions) {
  const { host, table, control } = options;
  const { clock, logger, config } = host;
  let signalledMonotonicMs: number | undefined;
  let closeAdmin = async () => {};

  async function finish(code: number): Promise<void> {
    await closeAdmin();
    await host.tracing?.shutdown().catch((error: unknown) => {
      logger.warn({ error }, 'the last traces could not be sent');
    });
    await options.onStopped?.();
    const message = code === EXIT.clean ? 'stopped' : 'stopped, but not cleanly';
    logger.info({ exitCode: code }, message);
    control.exit(code);
  }

  async function stopOrderly(signal: StopSignal): Promise<void> {
    logger.info({ signal, waitMs: config.shutdownWaitMs }, 'stopping');
    table.leave('stopping');
    let code: number = EXIT.clean;
    await options.started().catch(() => {
      code = EXIT.failed;
    });
    await delay(clock, config.shutdownWaitMs);
    try {
      await table.drain(config.drainTimeoutMs);
    } catch (error) {
      logger.error({ error }, 'work was left unfinished; the data directory holds what remains');
      code = EXIT.unfinished;
    }
    await table.stop().catch(() => {
      // The table has logged which module it was.
      if (code === EXIT.clean) code = EXIT.failed;
    });
    await finish(code);
  }

  return {
    began: () => signalledMonotonicMs !== undefined,
    install(close: () => Promise<void>) {
      closeAdmin = close;
      control.onSignal((signal) => {
        if (signalledMonotonicMs !== undefined) {
          if (clock.monotonicMs() - signalledMonotonicMs < SIGNAL_ECHO_MS) return;
          logger.warn({ signal }, 'second signal: exiting at once');
          control.exit(EXIT.failed);
          return;
        }
        signalledMonotonicMs = clock.monotonicMs();
        stopOrderly(signal).catch((error: unknown) => {
          logger.error({ error }, 'shutdown failed');
          control.exit(EXIT.failed);
        });
      });
      control.onFatal((error) => {
        // The state after an unhandled failure is unknown; what is durable is on disk already.
        logger.error({ error }, 'unhandled failure: exiting');
        control.exit(EXIT.failed);
      });
    },
    async endFailedStart(error: unknown) {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      // Nothing to do where the start itself failed: the table has stopped what had started.
      await table.stop().catch(() => {});
      await finish(EXIT.failed);
    },
  };
}

function describePortFailure(error: unknown, port: number): unknown {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'EADDRINUSE') return error;
  const remedy = 'set TOLLGATE_ADMIN_PORT to another port, or to 0 for any free one';
  return new Error(`admin port ${port} is taken: ${remedy}`, { cause: error });
}

export type StopSignal = 'SIGTERM' | 'SIGINT';

/** The process as the runner sees it, so that a test can be one. */
export interface ProcessControl {
  onSignal(listener: (signal: StopSignal) => void): void;
  /** An exception or rejection that nobody handled. */
  onFatal(listener: (error: unknown) => void): void;
  exit(code: number): void;
}

/** The real one. */
const processControl: ProcessControl = {
  onSignal(listener) {
    process.on('SIGTERM', () => listener('SIGTERM'));
    process.on('SIGINT', () => listener('SIGINT'));
  },
  onFatal(listener) {
    process.on('uncaughtException', listener);
    process.on('unhandledRejection', listener);
  },
  exit(code) {
    process.exit(code);
  },
};
