import { AppError, toAppError } from './app-error';
import { ERROR_CODES, isErrorCode } from './error-codes';

test('what a client reads never holds what only the log may hold', () => {
  const error = new AppError('INTERNAL_ERROR', { internalMessage: 'host db-3 is down' });
  expect(error.publicMessage).toBe(ERROR_CODES.INTERNAL_ERROR.publicMessage);
  expect(error.message).toBe('host db-3 is down');
});

test('anything thrown becomes INTERNAL_ERROR, with its cause kept for the log', () => {
  const cause = new TypeError('x is not a function');
  expect(toAppError(cause)).toMatchObject({ code: 'INTERNAL_ERROR', cause });
  expect(toAppError('text')).toMatchObject({ code: 'INTERNAL_ERROR', message: 'text' });
  const known = new AppError('NOT_FOUND');
  expect(toAppError(known)).toBe(known);
});

test('a code from the wire is known by the table alone', () => {
  expect(isErrorCode('NOT_FOUND')).toBe(true);
  expect(isErrorCode('toString')).toBe(false);
});

test('retryable follows the table unless the place that failed knows better', () => {
  expect(new AppError('UPSTREAM_ERROR').retryable).toBe(true);
  expect(new AppError('UPSTREAM_ERROR', { retryable: false }).retryable).toBe(false);
});
