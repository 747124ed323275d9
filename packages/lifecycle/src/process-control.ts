export type StopSignal = 'SIGTERM' | 'SIGINT';

/** The process as the runner sees it, so that a test can be one. */
export interface ProcessControl {
  onSignal(listener: (signal: StopSignal) => void): void;
  /** An exception or rejection that nobody handled. */
  onFatal(listener: (error: unknown) => void): void;
  exit(code: number): void;
}

/** The real one. */
export const processControl: ProcessControl = {
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
