import { createMetrics } from '@tollgate/observability';
import { type CompletionMetrics, createCompletionMetrics } from '../metrics';

/** Metrics that nobody reads. */
export function createUnreadMetrics(): CompletionMetrics {
  return createCompletionMetrics(createMetrics());
}
