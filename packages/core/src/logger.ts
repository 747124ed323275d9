/** Fields of a log line besides its sentence. Never a prompt, a completion or a secret. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Structured logging as every layer sees it; packages/observability implements it with pino. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  /** A logger whose every line carries the given fields too. */
  child(fields: LogFields): Logger;
}

/** Discards everything; for code paths that run without an operator to read. */
export const silentLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLogger,
};
