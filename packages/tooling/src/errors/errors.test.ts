import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, ERROR_CODES, isErrorCode } from '@tollgate/core';
import { toFailureBody } from '../../../../services/gateway/src/http/errors';
import { ROOT, readFromRoot } from '../repository';
import { listProductSources } from '../tidy/tidy';
import { checkErrorPages, type ErrorTable, findUnusedCodes } from './error-page';

const FOLDER = join(ROOT, 'docs/errors');
const TABLE_FILE = 'packages/core/src/error-codes.ts';

const pages: ReadonlyMap<string, string> = new Map(
  readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]),
);

const table: ErrorTable = {
  definitions: ERROR_CODES,
  bodyOf(code, param) {
    if (!isErrorCode(code)) throw new Error(`no code ${code}`);
    const error = new AppError(code, param === undefined ? {} : { param });
    const body: unknown = JSON.parse(toFailureBody(error));
    return body;
  },
};

const sources = listProductSources()
  .filter((file) => file !== TABLE_FILE)
  .map((file) => readFromRoot(file));

test('every code has one page, which says what the table says and shows the body that is sent', () => {
  expect(pages.size).toBe(Object.keys(ERROR_CODES).length);
  expect(checkErrorPages(pages, table)).toEqual([]);
});

test('every code of the table is used', () => {
  expect(sources.length).toBeGreaterThan(200);
  expect(findUnusedCodes(Object.keys(ERROR_CODES), sources)).toEqual([]);
  expect(findUnusedCodes(['PLANTED_CODE'], sources)).toEqual(['PLANTED_CODE']);
});

function plant(name: string, from: string, to: string): ReadonlyMap<string, string> {
  const text = pages.get(name) ?? '';
  expect(text).toContain(from);
  return new Map(pages).set(name, text.replace(from, to));
}

test.each([
  ['status', '| 409  |', '| 408  |', 'its table says 408'],
  ['gRPC status', '| ALREADY_EXISTS |', '| ABORTED |', 'its table says 409, ABORTED'],
  ['type in the table', '`invalid_request_error`', '`conflict`', 'ALREADY_EXISTS, conflict'],
  ['retry', '| no          |', '| yes         |', 'invalid_request_error, yes'],
  ['type in the example', '"type": "invalid', '"type": "bad', 'its example is not'],
  ['sentence', 'The request conflicts', 'Your request conflicts', 'its example is not'],
  ['missing member', '  "data": null,\n', '', 'its example is not'],
  ['broken example', '```json\n{', '```json\n', 'its example is not'],
  ['title', '# CONFLICT', '# Conflicts', 'its title is "Conflicts"'],
])('a page with a planted %s is caught', (_name, from, to, problem) => {
  const [first, ...others] = checkErrorPages(plant('CONFLICT.md', from, to), table);
  expect(first).toContain(`CONFLICT.md: ${problem.startsWith('its') ? problem : 'its table says'}`);
  expect(first).toContain(problem);
  expect(others).toEqual([]);
});

test('a page too many and a page that is gone are caught', () => {
  const planted = new Map(pages).set('PLANTED.md', '# PLANTED\n');
  planted.delete('NOT_FOUND.md');
  expect(checkErrorPages(planted, table)).toEqual([
    'PLANTED.md: no row of the table has this name',
    'NOT_FOUND.md: missing',
  ]);
});
