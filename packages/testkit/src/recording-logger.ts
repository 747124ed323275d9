import type { LogFields, Logger } from '@tollgate/core';

/** One line as the code under test wrote it. */
export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: LogFields;
  readonly message: string;
}

/** A logger that keeps what it is told, its children's lines too. */
export interface RecordingLogger extends Logger {
  readonly lines: readonly LogLine[];
  /** Everything as one text, for tests that a secret appears nowhere. */
  text(): string;
}

/** Creates a logger without lines. */
export function createRecordingLogger(): RecordingLogger {
  const lines: LogLine[] = [];
  return {
    ...loggerInto(lines, {}),
    lines,
    text: () => lines.map((line) => JSON.stringify(line, plain)).join('\n'),
  };
}

function loggerInto(lines: LogLine[], inherited: LogFields): Logger {
  const write = (level: LogLine['level']) => (fields: LogFields, message: string) => {
    lines.push({ level, fields: { ...inherited, ...fields }, message });
  };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: (fields) => loggerInto(lines, { ...inherited, ...fields }),
  };
}

function plain(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Error)
    return { message: value.message, stack: value.stack, cause: value.cause };
  return value;
}
