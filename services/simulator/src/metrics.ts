import type { Metrics } from '@tollgate/observability';
import type { DeliveryEnd } from './domain/delivery-log';

/** Counts the end of every answer by how it came. */
export function createSimulatorMetrics(metrics: Metrics): (state: DeliveryEnd) => void {
  const answers = metrics.counter({
    name: 'tollgate_simulator_answers_total',
    help: 'Answers of the simulator by their end: finished, cut by itself, aborted by the client.',
    labels: ['state'],
  });
  const byState = {
    finished: answers.child({ state: 'finished' }),
    cut: answers.child({ state: 'cut' }),
    aborted: answers.child({ state: 'aborted' }),
  };
  return (state) => byState[state].inc();
}
