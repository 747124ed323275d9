import { checkHead } from './answer-head';

it.each([
  [200, 'application/json; charset=utf-8', false, 'good'],
  [200, 'text/event-stream; charset=utf-8', true, 'good'],
  [200, undefined, true, 'good'],
  [200, 'text/html', false, 'bad_type'],
  [200, 'text/html', true, 'bad_type'],
  [200, 'application/json', true, 'bad_type'],
  [302, 'text/html', false, 'bad'],
  [500, 'application/json', true, 'bad'],
])('judges status %s with %s (stream %s) as %s', (status, type, stream, verdict) => {
  expect(checkHead(status, type === undefined ? {} : { 'content-type': type }, stream)).toBe(
    verdict,
  );
});
