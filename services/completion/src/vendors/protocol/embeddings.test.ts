import type { VendorCall } from '../../domain/vendor';
import { exampleCall, failureIn } from '../../testing/vendor-call';
import { geminiEmbeddings } from '../gemini/index';
import { openaiEmbeddings } from '../openai/index';

function embeddingCall(texts: readonly string[], dimensions?: number): VendorCall {
  return exampleCall({
    messages: Buffer.from(JSON.stringify(texts)),
    embedding: { dimensions, inputs: texts.length },
  });
}

const TEXTS = ['one', 'two'];
const CALL = embeddingCall(TEXTS);
const toBody = (value: unknown) => Buffer.from(JSON.stringify(value));
const base64Of = (...numbers: readonly number[]) =>
  Buffer.from(Float32Array.from(numbers).buffer).toString('base64');
const vectorsOf = ({ choices }: { readonly choices: Buffer }) =>
  JSON.parse(choices.toString()) as unknown;

it('asks for texts as Gemini wants them, each a request of its own', () => {
  const { path, body } = geminiEmbeddings.buildRequest(embeddingCall(TEXTS, 3));
  expect(path).toBe('/models/vendor-small:batchEmbedContents');
  expect(JSON.parse(String(body[0]))).toEqual({
    requests: TEXTS.map((text) => ({
      model: 'models/vendor-small',
      outputDimensionality: 3,
      content: { parts: [{ text }] },
    })),
  });
});

it('asks a deployment of Azure at its own path', () => {
  const { candidate } = CALL;
  const baseUrl = 'https://mine.example/openai?api-version=2024-10-21';
  const channel = { ...candidate.channel, baseUrl };
  const call = { ...CALL, candidate: { ...candidate, channel } };
  expect(openaiEmbeddings.buildRequest(call)).toMatchObject({
    path: '/deployments/vendor-small/embeddings?api-version=2024-10-21',
    headers: { 'api-key': 'a credential of a test' },
  });
});

it('reads numbers and base64 alike, in the order of the texts', () => {
  const [one, two] = [base64Of(0.5), base64Of(-2)];
  const data = [
    { index: 1, embedding: two },
    { index: 0, embedding: [0.5] },
  ];
  const answer = openaiEmbeddings.parseCompletion(
    toBody({ data, usage: { prompt_tokens: 4, total_tokens: 4 } }),
    CALL,
  );
  expect(vectorsOf(answer)).toEqual([one, two]);
  expect(answer).toMatchObject({ text: '', usage: { prompt: 4, completion: 0, cached: 0 } });
  const embeddings = [{ values: [0.5] }, { values: [-2] }];
  const given = geminiEmbeddings.parseCompletion(toBody({ embeddings }), CALL);
  expect(vectorsOf(given)).toEqual([one, two]);
  expect(given.usage).toBeUndefined();
});

it.each([
  ['fewer vectors than texts', [{ embedding: [1] }]],
  ['a vector for a text that was not given', [{ embedding: [1] }, { index: 2, embedding: [1] }]],
  ['two vectors for a text', [{ embedding: [1] }, { index: 0, embedding: [1] }]],
  ['an empty vector', [{ embedding: [1] }, { embedding: [] }]],
  ['no number', [{ embedding: [1] }, { embedding: [null] }]],
  ['a number that is infinite', [{ embedding: [1] }, { embedding: base64Of(1, Infinity) }]],
  ['a vector without end', [{ embedding: [1] }, { embedding: new Array(50_000).fill(0) }]],
  ['a part of a number', [{ embedding: [1] }, { embedding: 'AAAA' }]],
])('%s is no answer', (_what, data) => {
  const failure = failureIn(() => openaiEmbeddings.parseCompletion(toBody({ data }), CALL));
  expect(failure).toMatchObject({ outcome: 'failure', retryElsewhere: true });
});
