import { createFakeClock, createRecordingLogger, waitFor } from '@tollgate/testkit';
import { keyText } from './testing/fixtures';
import { noonAfterTomorrow, startGateway } from './testing/gateway-fixture';

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

test('uses of keys are reported although an answer has to be cut', async () => {
  const clock = createFakeClock(noonAfterTomorrow());
  const gateway = await startGateway({ clock });
  const key = keyText(1);
  gateway.principals.set(key, {});
  gateway.routing.handlers.listModels = () => new Promise(() => {});
  try {
    void gateway.send('GET', '/v1/models', { key }).catch(() => {});
    await waitFor(() => gateway.routing.calls.length > 0);
    const drained = gateway.service.drain?.(60_000);
    // Past the cut, and before the uses would be reported anyway.
    await clock.advance(27_000);
    await drained;
    expect(gateway.identity.calls.map(([method]) => method)).toContain('reportKeyUses');
  } finally {
    await gateway.stop();
  }
});
