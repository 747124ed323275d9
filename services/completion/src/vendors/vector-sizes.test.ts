import { type StartedClient, startVendorClient } from '../testing/start-vendor-client';
import { answerJson } from '../testing/vendor-server';

const { signal } = new AbortController();
/** Of 300 numbers: 1,600 characters. */
const VECTOR = Buffer.from(new Float32Array(300).buffer).toString('base64');

let started: StartedClient;
/** Requests that the vendor got. */
let calls: number;
beforeEach(async () => {
  // Six of these vectors.
  started = await startVendorClient({ answerBytesMax: 10_000 });
  calls = 0;
});
afterEach(() => started.close());

/** Asks for vectors of a vendor that answers with as many. */
async function embed(inputs: number, dimensions?: number) {
  const data = Array.from({ length: inputs }, (_, index) => ({ index, embedding: VECTOR }));
  started.vendor.script = (_seen, response) => {
    calls += 1;
    answerJson(response, { object: 'list', data });
  };
  const messages = Buffer.from(JSON.stringify(data.map(() => 'text')));
  const call = started.call({ messages, embedding: { dimensions, inputs } });
  const { release } = await started.client.complete(call, signal);
  release?.();
}

const TOO_MANY = {
  outcome: 'not_sent',
  error: {
    code: 'VALIDATION_ERROR',
    param: 'input',
    publicMessage: expect.stringMatching(/^At most 6 texts /) as string,
  },
};

it('more vectors than one answer holds are not asked for once an answer told their length', async () => {
  await embed(2);
  await expect(embed(7)).rejects.toMatchObject(TOO_MANY);
  expect(calls).toBe(1);
  await expect(embed(6)).resolves.toBeUndefined();
});

it('an answer that was too long tells their length, too', async () => {
  await expect(embed(12)).rejects.toMatchObject({ error: { code: 'UPSTREAM_ERROR' } });
  await expect(embed(12)).rejects.toMatchObject(TOO_MANY);
  expect(calls).toBe(1);
});

it('so does the number of numbers that is asked for, before any answer', async () => {
  await expect(embed(7, 300)).rejects.toMatchObject(TOO_MANY);
  expect(calls).toBe(0);
  await expect(embed(6, 300)).resolves.toBeUndefined();
});

it('a text is asked for alone whatever its vector has', async () => {
  await expect(embed(1, 60_000)).resolves.toBeUndefined();
});
