import { createRecordingLogger, waitFor } from '@tollgate/testkit';
import { startGateway } from './testing/gateway-fixture';

test('every line of the log names the service', async () => {
  const logger = createRecordingLogger();
  const gateway = await startGateway({
    logger,
    environment: {
      // Nobody is there: plans, completions and what else is asked for fail, which is logged.
      BILLING_ADDRESS: 'unix:/tmp/nobody-bills-here',
      COMPLETION_ADDRESS: 'unix:/tmp/nobody-completes-here',
    },
  });
  const logged = (sentence: string) => logger.lines.some(({ message }) => message === sentence);
  try {
    await waitFor(() => logged('the plan table could not be loaded; keeping the known one'));
    await waitFor(() => logger.lines.some(({ fields }) => 'completion' in fields));
  } finally {
    await gateway.stop();
  }
  expect(logger.lines.filter(({ fields }) => fields.service !== 'gateway')).toEqual([]);
});
