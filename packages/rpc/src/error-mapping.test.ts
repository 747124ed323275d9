import { Metadata, status } from '@grpc/grpc-js';
import { AppError } from '@tollgate/core';
import { fromFailure, fromStatus, toFailure, toStatus, UnansweredError } from './error-mapping';
import { ProtobufWriter } from './session/protobuf-writer';

test.each([
  [Number.POSITIVE_INFINITY, 0xffff_ffff],
  [-5, undefined],
  [Number.NaN, undefined],
  [1.2, 2],
])('a failure with a wait of %s ms reaches the peer', (retryAfterMs, expected) => {
  const failure = toFailure(new AppError('SERVICE_UNAVAILABLE', { retryAfterMs }));
  expect(fromFailure(failure).retryAfterMs).toBe(expected);
  expect(() => new ProtobufWriter(0).uint32(failure.retryAfterMs)).not.toThrow();
  const status = toStatus(new AppError('SERVICE_UNAVAILABLE', { retryAfterMs }));
  expect(fromStatus(status).retryAfterMs).toBe(expected ?? 0);
});

test.each([Number.POSITIVE_INFINITY, -1, Number.NaN, 2 ** 32])(
  'the number %s, which no message can carry, is refused at once',
  (value) => {
    expect(() => new ProtobufWriter(0).uint32(value)).toThrow(RangeError);
  },
);

test('that a request was begun reaches the peer', () => {
  const begun = new AppError('VALIDATION_ERROR', { recorded: true });
  expect(fromFailure(toFailure(begun)).recorded).toBe(true);
  expect(fromFailure(toFailure(new AppError('VALIDATION_ERROR'))).recorded).toBe(false);
});

test('why no channel could take a request reaches the peer, and no reason that it does not know', () => {
  const limited = { reason: 'cooling_down', retryAfterMs: 20_000 } as const;
  const rejected = [
    { channelId: 'chn_1', model: 'small', reason: 'failing' },
    { channelId: 'chn_2', model: 'small', ...limited },
  ] as const;
  const failure = toFailure(new AppError('SERVICE_UNAVAILABLE', { rejected }));
  expect(fromFailure(failure).rejected).toEqual(rejected);
  const unknown = { channelId: 'chn_1', model: 'small', reason: 'new', retryAfterMs: 0 };
  const newer = { ...failure, rejected: [unknown] };
  expect(fromFailure(newer).rejected).toEqual([]);
});

test.each([
  ['UNAVAILABLE', true],
  ['DEADLINE_EXCEEDED', true],
  ['CANCELLED', false],
  ['RESOURCE_EXHAUSTED', false],
  ['UNIMPLEMENTED', false],
] as const)('whether %s of the library alone is silence of the peer: %s', (code, isSilence) => {
  const failure = fromStatus({ code: status[code], details: '', metadata: new Metadata() });
  expect(failure instanceof UnansweredError).toBe(isSilence);
});
