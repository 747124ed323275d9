/** Whether a module can do its work now, and if not, why, in words for an operator. */
export interface Readiness {
  readonly ready: boolean;
  readonly reasons: readonly string[];
}

/** A part of the process that starts, serves and stops. */
export interface ServiceModule {
  readonly name: string;
  /** Modules that must have started before it. Who composes a process knows them, no service does. */
  readonly dependsOn?: readonly string[];
  /** Opens connections and starts serving. Called once. */
  start(): Promise<void>;
  /**
   * Called at once when the process was told to end, while it still serves: whoever comes is asked
   * to go to another replica next time.
   */
  leave?(): void;
  /** Takes no new work and finishes what runs; rejects when that was not possible in time. */
  drain?(deadlineMs: number): Promise<void>;
  /** The work that a drain still waits for, in words for an operator: "2 open answers". */
  waitsFor?(): string | undefined;
  /** Closes everything. Called once after a start, even one that failed half way. */
  stop(): Promise<void>;
  readiness(): Readiness;
}

export const READY: Readiness = Object.freeze({ ready: true, reasons: [] });

/** Ready when no reason against it is given. */
export function readinessFrom(reasons: readonly string[]): Readiness {
  return reasons.length === 0 ? READY : { ready: false, reasons };
}
