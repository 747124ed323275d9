import type { Logger } from '@tollgate/core';
import pino from 'pino';
import { describeError } from './describe-error';
import { REDACTED, REDACTED_PATHS, redactText } from './redaction';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Takes whole lines, newline included. */
export interface LogDestination {
  write(line: string): void;
}

export interface LoggerOptions {
  readonly level: LogLevel;
  /** The service's name; every line carries it. */
  readonly name: string;
  /** Standard output when absent. */
  readonly destination?: LogDestination;
}

/**
 * JSON lines with an ISO time and a level word. Secrets are replaced, both by member name and by
 * form, before a line leaves the process.
 */
export function createLogger({ level, name, destination }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: { name },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: serializeError, err: serializeError, cause: serializeError },
      redact: { paths: [...REDACTED_PATHS], censor: REDACTED },
      hooks: { streamWrite: redactText },
    },
    destination ?? standardOutput(),
  );
}

const serializeError = (error: unknown) => describeError(error);

let sharedOutput: LogDestination | undefined;

/** One destination for all loggers of the process, so that lines keep their order. */
function standardOutput(): LogDestination {
  if (sharedOutput !== undefined) return sharedOutput;
  // Asynchronous writes keep a slow reader from stopping the event loop; what is still buffered
  // when the process ends is written then.
  const output = pino.destination({ dest: 1, sync: false });
  process.on('exit', () => {
    try {
      output.flushSync();
    } catch {
      // The reader is gone; there is nobody left to tell.
    }
  });
  // A reader that went away (a closed pipe) must not take the service down.
  output.on('error', () => {});
  sharedOutput = output;
  return output;
}
