import { types } from 'node:util';
import { AppError, type Logger } from '@tollgate/core';
import pino from 'pino';
import type { PrettyOptions } from 'pino-pretty';
import { ERROR_MEMBERS, redactMembers, redactText } from './redaction';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** JSON for programs, readable lines for people; `auto` looks whether standard output is a terminal. */
export type LogFormat = 'auto' | 'json' | 'pretty';

/** Takes whole lines, newline included. */
export interface LogDestination {
  write(line: string): void;
}

export interface LoggerOptions {
  readonly level: LogLevel;
  /** The service's name; every line carries it. */
  readonly name: string;
  /** JSON when absent. */
  readonly format?: LogFormat;
  /** Standard output when absent. */
  readonly destination?: LogDestination;
}

/**
 * Lines with an ISO time and a level word. Secrets are replaced, both by member name and by form,
 * before a line leaves the process.
 */
export function createLogger({ level, name, format, destination }: LoggerOptions): Logger {
  const output = destination ?? standardOutput();
  const pretty = format === 'pretty' || (format === 'auto' && process.stdout.isTTY);
  const logger = pino(
    {
      level,
      base: { name },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redactMembers(fields),
      },
      serializers: Object.fromEntries(ERROR_MEMBERS.map((name) => [name, serializeError])),
      hooks: { streamWrite: redactText },
    },
    pretty ? createPrettyOutput(output) : output,
  );
  // No formatter sees the fields of a child. Children inherit this from whom they are made of.
  const { child } = logger;
  logger.child = function (this: typeof logger, fields: object) {
    return child.call(this, redactMembers(fields));
  } as typeof child;
  return logger;
}

/** Turns each JSON line into one that a person reads. */
function createPrettyOutput(output: LogDestination): LogDestination {
  // Loaded where it is used: services write JSON.
  const { prettyFactory } = require('pino-pretty') as typeof import('pino-pretty');
  const options: PrettyOptions = {
    colorize: process.stdout.isTTY,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'name,service',
    messageFormat: (log, key) => [log.service, log[key]].filter(Boolean).join(': '),
    errorLikeObjectKeys: ['error', 'err', 'cause'],
    singleLine: true,
  };
  const toLine = prettyFactory(options);
  return { write: (line) => output.write(toLine(line) ?? line) };
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

/** An error as a log line holds it. */
export interface ErrorDescription {
  readonly type: string;
  readonly message: string;
  readonly code?: string | number;
  /** Absent for failures that the product expects: their place in the code says nothing new. */
  readonly stack?: string;
  readonly cause?: ErrorDescription | string;
  /** Of an aggregate: the first few. */
  readonly errors?: readonly (ErrorDescription | string)[];
}

const CAUSES_MAX = 5;
const ERRORS_MAX = 5;
const TEXT_LENGTH_MAX = 2_000;

/**
 * Only named members are taken: libraries hang requests and documents on their errors, which must
 * not reach a log.
 */
function describeError(error: unknown, depth = 0): ErrorDescription | string {
  if (!isError(error)) return typeof error === 'string' ? cut(error) : `a thrown ${typeof error}`;
  const expected = error instanceof AppError && error.code !== 'INTERNAL_ERROR';
  const { code } = error as { readonly code?: unknown };
  const described = {
    type: error.name,
    message: cut(error.message),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(expected || error.stack === undefined ? {} : { stack: cut(error.stack) }),
  };
  if (depth >= CAUSES_MAX) return described;
  const nested = (item: unknown) => describeError(item, depth + 1);
  return {
    ...described,
    ...(error.cause === undefined ? {} : { cause: nested(error.cause) }),
    ...(error instanceof AggregateError
      ? { errors: error.errors.slice(0, ERRORS_MAX).map(nested) }
      : {}),
  };
}

function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value);
}

function cut(text: string): string {
  return text.length > TEXT_LENGTH_MAX ? `${text.slice(0, TEXT_LENGTH_MAX)}...` : text;
}
