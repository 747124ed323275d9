import { publicOriginOf } from './public-origin';

const boundUrl = () => 'http://127.0.0.1:8080';

function requestTo(host: string) {
  return {
    headers: { host, 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
  };
}

test.each(['evil.example', 'gate.example', '127.0.0.1:8080', ''])(
  'a configured address stands, whatever the client says: %s',
  (host) => {
    const origin = publicOriginOf(requestTo(host), 'https://gate.example/', boundUrl);
    expect(origin).toBe('https://gate.example');
  },
);

test.each([
  ['evil.example', 'http://127.0.0.1:8080'],
  ['evil.example:8080', 'http://127.0.0.1:8080'],
  ['localhost:9999', 'http://127.0.0.1:8080'],
  ['x@localhost:8080', 'http://localhost:8080'],
  ['localhost:8080', 'http://localhost:8080'],
  ['[::1]:8080', 'http://[::1]:8080'],
  ['', 'http://127.0.0.1:8080'],
])('a machine of its own goes by the name of the loopback it was called: %s', (host, origin) => {
  expect(publicOriginOf(requestTo(host), 'bound', boundUrl)).toBe(origin);
});

test('without an address nobody is sent anywhere, and the setting is named', () => {
  expect(() => publicOriginOf(requestTo('gate.example'), undefined, boundUrl)).toThrow(
    /TOLLGATE_PUBLIC_URL/,
  );
});
