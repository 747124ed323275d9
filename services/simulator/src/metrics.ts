import type { Metrics } from '@tollgate/observability';
import type { DeliveryState } from './domain/delivery-log';

/** Counts the end of every answer by how it came. */
export function createSimulatorMetrics(
  metrics: Metrics,
): (state: Exclude<DeliveryState, 'running'>) => void {
  const answers = metrics.counter({
    name: 'tollgate_simulator_answers_total',
    help: 'Answers of the simulator by their end: finished, cut by itself, aborted by the client.',
    labels: ['state'],
  });
  const byState = {
    finished: answers.bind({ state: 'finished' }),
    cut: answers.bind({ state: 'cut' }),
    aborted: answers.bind({ state: 'aborted' }),
  };
  return (state) => byState[state].inc();
}
