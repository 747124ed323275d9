import { AppError } from '@tollgate/core';
import { createFakeClock } from '@tollgate/testkit';
import { VendorFailure } from '../domain/vendor';
import { notSent } from '../domain/vendor-failures';
import { createRunFixture, exampleRequest } from '../testing/run-fixture';
import { unreadable } from '../vendors/protocol/failures';
import { complete } from './complete';

const limited = () =>
  new VendorFailure(new AppError('SERVICE_UNAVAILABLE'), 'rate_limited', { retryElsewhere: true });

/** A request that the first channel takes and answers with nonsense; the prompt costs 5. */
async function askAfterNonsense(last: VendorFailure) {
  const fixture = await createRunFixture(createFakeClock(), { channels: 2 });
  fixture.vendors.answers.push(unreadable('the vendor answered with nonsense'), last);
  await expect(complete(fixture.deps, exampleRequest())).rejects.toBeInstanceOf(AppError);
  expect(fixture.vendors.calls).toHaveLength(2);
  return fixture.onlyRecord();
}

it.each([
  ['limits us', limited()],
  ['gets no call', notSent('no room')],
])(
  'a call that came to nothing is paid by the operator also when the next one %s',
  async (_how, last) => {
    const nothing = { amount: 0n, source: 'none', promptTokens: 0, completionTokens: 0 };
    expect(await askAfterNonsense(last)).toMatchObject({ ...nothing, vendorAbsorbed: 5n });
  },
);

it('calls that came to nothing are paid by the operator each', async () => {
  // The counter of the fixture takes no text for one word.
  expect(await askAfterNonsense(unreadable('again'))).toMatchObject({ vendorAbsorbed: 5n + 6n });
});
