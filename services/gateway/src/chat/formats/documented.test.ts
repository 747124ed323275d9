import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, ERROR_CODES, type ErrorCode } from '@tollgate/core';
import type { z } from 'zod';
import { ROUTES } from '../../routes/table';
import { answer } from '../../testing/fixtures';
import { formats } from './all';
import { anthropicFormat } from './anthropic/format';
import { countRequestSchema, messagesRequestSchema } from './anthropic/schema';
import { embeddingsRequestSchema } from './embeddings/schema';
import { responsesRequestSchema } from './responses/schema';

const PAGE = readFileSync(join(__dirname, '../../../../../docs/formats.md'), 'utf8');

/** The cells of the table below the comment, or of the first table. */
function rowsBelow(comment = '# Wire formats'): readonly (readonly string[])[] {
  const [, rest = ''] = PAGE.split(comment);
  const [, table = ''] = /\n(\|[\s\S]*?\|)\n(?!\|)/.exec(rest) ?? [];
  const [, , ...rows] = table.split('\n');
  return rows.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const bare = (cell = '') => cell.replaceAll('`', '');
const fieldsOf = (schema: z.ZodObject) => Object.keys(schema.shape).sort();

test('the page has every path that answers completions', () => {
  const served = ROUTES.filter(({ target }) => target.kind === 'chat');
  const paths = served.map(({ method, path }) => `${method} ${path}`);
  expect(
    rowsBelow()
      .map(([path]) => bare(path))
      .sort(),
  ).toEqual(paths.sort());
  for (const route of served) {
    const [row] = rowsBelow().filter(([first]) => bare(first) === `POST ${route.path}`);
    expect(row?.[3]?.includes('x-api-key')).toBe('keyHeader' in route);
  }
});

test('every path answers in a format that a kept answer can be written in again', () => {
  const served = ROUTES.flatMap(({ target }) =>
    target.kind === 'chat' ? [target.format.name] : [],
  );
  const names = Object.values(formats).map(({ name }) => name);
  expect(served.sort()).toEqual(names.sort());
});

test.each([
  ['messagesRequestSchema', messagesRequestSchema],
  ['responsesRequestSchema', responsesRequestSchema],
  ['embeddingsRequestSchema', embeddingsRequestSchema],
])('the page has every member of %s', (name, schema) => {
  const rows = rowsBelow(`members: ${name} -->`);
  expect(rows.map(([member]) => bare(member)).sort()).toEqual(fieldsOf(schema));
});

test('the page names every member of a count of tokens', () => {
  const [, named = ''] = /count_tokens` takes the members [^(]*\(([^)]*)\)/.exec(PAGE) ?? [];
  expect(named.split(/,\s/).map(bare).sort()).toEqual(fieldsOf(countRequestSchema));
});

test('stop reasons are as the page says', async () => {
  const rows = rowsBelow('<!-- stop reasons -->');
  expect(rows).toHaveLength(4);
  for (const [finish, stop] of rows) {
    const choice = { index: 0, message: { content: 'x' }, finish_reason: bare(finish) };
    const choices = Buffer.from(JSON.stringify([choice]));
    const body = await anthropicFormat.answer('req_1', answer('', { choices }));
    expect(JSON.parse(body.toString())).toMatchObject({ stop_reason: bare(stop) });
  }
});

test('error types are as the page says, for every status of a completion', () => {
  const types = new Map(
    rowsBelow('<!-- error types -->').flatMap(([statuses = '', type]) =>
      statuses.split(', ').map((status) => [Number(status), bare(type)] as const),
    ),
  );
  // Refused before a path is known.
  const elsewhere = new Set([405, 431]);
  for (const [code, { httpStatus }] of Object.entries(ERROR_CODES)) {
    if (elsewhere.has(httpStatus)) continue;
    const body = anthropicFormat.failureBody(new AppError(code as ErrorCode));
    const { error } = JSON.parse(body) as { readonly error: { readonly type: string } };
    expect([code, error.type]).toEqual([code, types.get(httpStatus)]);
  }
});
