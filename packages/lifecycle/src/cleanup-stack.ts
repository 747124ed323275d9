/** Collects how to undo what was opened; the last opened is closed first. */
export interface CleanupStack {
  defer(name: string, cleanup: () => void | Promise<void>): void;
  /** Runs everything once, whatever fails, then throws an AggregateError of the failures. */
  run(): Promise<void>;
}

export function createCleanupStack(): CleanupStack {
  const entries: { name: string; cleanup: () => void | Promise<void> }[] = [];
  return {
    defer(name, cleanup) {
      entries.push({ name, cleanup });
    },
    async run() {
      const failures: Error[] = [];
      for (let entry = entries.pop(); entry !== undefined; entry = entries.pop()) {
        try {
          await entry.cleanup();
        } catch (cause) {
          failures.push(new Error(`${entry.name} could not be closed`, { cause }));
        }
      }
      if (failures.length > 0) throw new AggregateError(failures, describeFailures(failures));
    },
  };
}

function describeFailures(failures: readonly Error[]): string {
  return failures.map((failure) => failure.message).join('; ');
}
