import { z } from 'zod';
import { amount } from '../../money/amounts';
import { answerOf } from './answer-of';
import { isoTime } from './values';

const schema = z.object({
  id: z.string(),
  price_of_it: amount.describe('In a message it is in nano-units.'),
  budget: amount.nullable().describe('None is null.'),
  seen_at: isoTime.nullable(),
  requests: z.int(),
  latency_ms: z.int().nullable(),
  words: z.array(z.string()),
  is_on: z.boolean(),
});

interface Message {
  readonly id: string;
  readonly priceOfIt: string;
  readonly budget?: string;
  readonly seenAt: string;
  readonly requests: number;
  readonly latencyMs?: number;
  readonly words: string[];
  readonly isOn: boolean;
}

test('fields have the names and the forms of the schema, in its order', () => {
  const message = {
    isOn: false,
    requests: '12',
    latencyMs: 0,
    words: ['a'],
    seenAt: '2026-01-31T12:00:00.000Z',
    budget: '0',
    priceOfIt: '1500000000',
    id: 'one',
    elsewhere: 'is not told',
  };
  expect(JSON.stringify(answerOf(schema, message, {}))).toBe(
    '{"id":"one","price_of_it":"1.50","budget":"0.00","seen_at":"2026-01-31T12:00:00.000Z",' +
      '"requests":12,"latency_ms":0,"words":["a"],"is_on":false}',
  );
});

test('what is absent or empty text is null where there may be none, and empty text elsewhere', () => {
  const message: Message = {
    id: '',
    priceOfIt: '0',
    seenAt: '',
    requests: 0,
    words: [],
    isOn: true,
  };
  expect(answerOf(schema, message, {})).toMatchObject({
    id: '',
    budget: null,
    seen_at: null,
    latency_ms: null,
  });
});

test('an own field is answered as it is, in its place', () => {
  const message: Omit<Message, 'id' | 'requests' | 'budget'> = {
    priceOfIt: '0',
    seenAt: '',
    words: [],
    isOn: true,
  };
  const answer = answerOf(schema, message, { id: 'own', requests: 3, budget: null });
  expect(Object.keys(answer)).toEqual(Object.keys(schema.shape));
  expect(answer).toMatchObject({ id: 'own', requests: 3, budget: null });
});

test('a message whose field has another name or form does not compile', () => {
  const message = {} as Message;
  const renamed = {} as Omit<Message, 'latencyMs'> & { readonly latency?: number };
  const weaker = {} as Omit<Message, 'requests'> & { readonly requests?: number };
  const wrong = {} as Omit<Message, 'isOn'> & { readonly isOn: string };
  expect(() => {
    answerOf(schema, message, {});
    // @ts-expect-error a field that may be null has to be known to the message
    answerOf(schema, renamed, {});
    // @ts-expect-error a number that has to be there may be absent
    answerOf(schema, weaker, {});
    // @ts-expect-error a text is no boolean
    answerOf(schema, wrong, {});
  }).toThrow();
});
