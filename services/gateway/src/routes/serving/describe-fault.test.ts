import { AppError } from '@tollgate/core';
import { z } from 'zod';
import type { Operation } from '../operation';
import { ROUTES } from '../table';
import { check } from './input';

const schema = z.strictObject({
  name: z.string().min(1).max(3),
  count: z.int().min(1).max(5).nullable().optional(),
  color: z.enum(['red', 'green']).optional(),
  at: z.iso.datetime({ offset: true }).optional(),
  tags: z.array(z.string().regex(/^a/, 'must start with a.')).min(1).max(2).optional(),
  flag: z.boolean().optional(),
  sure: z.literal(true).optional(),
  place: z.strictObject({ street: z.string() }).optional(),
  notes: z.record(z.string(), z.string().max(2)).optional(),
});

const ok = { name: 'a' };
const FAULTS: readonly (readonly [unknown, string | undefined, string])[] = [
  [{}, 'name', 'is required, and must be a text.'],
  [{ name: 1 }, 'name', 'must be a text, not 1.'],
  [{ name: null }, 'name', 'must be a text, not null.'],
  [{ name: ['x'] }, 'name', 'must be a text, not a list.'],
  [{ name: '' }, 'name', 'must not be empty.'],
  [{ name: 'aaaa' }, 'name', 'must have at most 3 characters.'],
  [{ ...ok, count: '1' }, 'count', 'must be a number, not a text.'],
  [{ ...ok, count: 1.5 }, 'count', 'must be a whole number, not 1.5.'],
  [{ ...ok, count: 0 }, 'count', 'must be at least 1.'],
  [{ ...ok, count: 6 }, 'count', 'must be at most 5.'],
  [{ ...ok, color: 'gren' }, 'color', 'must be one of red, green. Did you mean green?'],
  [{ ...ok, color: 'violet' }, 'color', 'must be one of red, green.'],
  [{ ...ok, at: 'soon' }, 'at', 'must be a time with its zone, such as 2026-01-31T12:00:00Z.'],
  [{ ...ok, tags: [] }, 'tags', 'must have at least 1 item.'],
  [{ ...ok, tags: ['a', 'a', 'a'] }, 'tags', 'must have at most 2 items.'],
  [{ ...ok, tags: ['b'] }, 'tags[0]', 'must start with a.'],
  [{ ...ok, flag: 'true' }, 'flag', 'must be true or false, not a text.'],
  [{ ...ok, sure: false }, 'sure', 'must be true.'],
  [{ ...ok, place: 'x' }, 'place', 'must be an object (street), not a text.'],
  [{ ...ok, place: {} }, 'place.street', 'is required, and must be a text.'],
  [{ ...ok, place: { stret: '' } }, 'place.stret', 'is not known here. Did you mean street?'],
  [{ ...ok, notes: { a: 'xxx' } }, 'notes.a', 'must have at most 2 characters.'],
  [
    { place_street: 'x' },
    'name',
    'is required, and must be a text. place_street is not known here.',
  ],
  [
    { a_thing: 1, b_thing: 2 },
    'name',
    'is required, and must be a text. a_thing and 1 more are not known here.',
  ],
  [{ ['x'.repeat(65)]: 1 }, 'name', 'is required, and must be a text.'],
  [{ naem: 'a' }, 'naem', 'is not known here. Did you mean name?'],
  [{ ...ok, colour: 'red' }, 'colour', 'is not known here. Did you mean color?'],
  [
    { ...ok, entirely_different: 1 },
    'entirely_different',
    'is not known here. Known are name, count, color, at, tags, flag, sure, place, notes.',
  ],
  [[], undefined, 'must be an object, not a list.'],
];

function faultOf(checked: z.ZodType, value: unknown): AppError {
  try {
    check(checked, value);
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error('was accepted');
}

test.each(FAULTS)('%j is refused at %s: it %s', (value, param, sentence) => {
  const { publicMessage, param: named } = faultOf(schema, value);
  expect([named, publicMessage]).toEqual([
    param,
    `${param ?? 'The body'}${param === undefined ? '' : ':'} ${sentence}`,
  ]);
});

test('a value that was sent is never repeated, because it may be a secret', () => {
  const { publicMessage } = faultOf(schema, { ...ok, color: 'a-secret' });
  expect(publicMessage).not.toContain('a-secret');
});

const bodies = ROUTES.flatMap(({ method, path, target }) => {
  const body = target.kind === 'chat' ? undefined : (target as Operation).schema.body;
  return body instanceof z.ZodObject ? [[`${method} ${path}`, body] as const] : [];
});

test.each(bodies)('no fault of a body of %s is told in the words of the library', (_name, body) => {
  const values = [undefined, null, 0, -1, 1e12, 1.5, '', 'x'.repeat(3000), [], [1], {}, true];
  for (const name of Object.keys(body.shape)) {
    for (const value of values) {
      const result = { refused: '' };
      try {
        check(body, { [name]: value });
      } catch (error) {
        result.refused = (error as AppError).publicMessage;
      }
      expect(result.refused).not.toMatch(/Invalid|Too (small|big)|expected|received|undefined/);
    }
  }
});

test('a member that may be left out elsewhere, and not here, is required', () => {
  const required = z.strictObject({ name: z.string().optional().nonoptional() });
  expect(faultOf(required, {})).toMatchObject({
    param: 'name',
    publicMessage: 'name: is required.',
  });
});
