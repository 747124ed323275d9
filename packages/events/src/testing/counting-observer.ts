import type { EventBusObserver } from '../event-bus';

/** An observer that counts calls by report. */
export function createCountingObserver(): {
  observer: EventBusObserver;
  count(report: string): number;
} {
  const counts = new Map<string, number>();
  const counting = (report: string) => () => {
    counts.set(report, (counts.get(report) ?? 0) + 1);
  };
  return {
    observer: {
      published: counting('published'),
      publishFailed: counting('publishFailed'),
      handled: counting('handled'),
      handlerFailed: counting('handlerFailed'),
      deadLettered: counting('deadLettered'),
      skipped: counting('skipped'),
    },
    count: (report) => counts.get(report) ?? 0,
  };
}
