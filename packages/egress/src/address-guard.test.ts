import { AppError, type Clock, createSystemClock, silentLogger } from '@tollgate/core';
import { createFakeClock } from '@tollgate/testkit';
import { createAddressGuard, type ResolvedAddress, type Resolver } from './address-guard';

function answering(...addresses: readonly string[]): Resolver {
  return async () => addresses.map(toAnswer);
}

function toAnswer(address: string): ResolvedAddress {
  return { address, family: address.includes(':') ? 6 : 4 };
}

function guardWith(resolver: Resolver, allowed: readonly string[] = [], clock?: Clock) {
  return createAddressGuard({
    allowedPrivateHosts: allowed,
    allowedBy: 'THE_SETTING',
    resolver,
    logger: silentLogger,
    clock: clock ?? createSystemClock(),
  });
}

async function refusalOf(work: Promise<unknown>): Promise<AppError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof AppError) return error;
  throw new Error(`not refused: ${String(error)}`);
}

describe('URLs that clients give', () => {
  it.each([
    ['a scheme other than http', 'ftp://example.com/'],
    ['a file', 'file:///etc/passwd'],
    ['a data URL', 'data:text/plain,x'],
    ['a script', 'javascript:alert(1)'],
    ['a user name', 'https://user@example.com/'],
    ['a password', 'https://:secret@example.com/'],
    ['relative text', '/hook'],
    ['empty text', ''],
    ['a missing host', 'http://'],
    ['loopback', 'http://127.0.0.1/'],
    ['decimal loopback', 'http://2130706433/'],
    ['octal loopback', 'http://0177.0.0.1/'],
    ['long octal loopback', 'http://017700000001/'],
    ['hex loopback', 'http://0x7f000001/'],
    ['mixed hex loopback', 'http://0x7f.0.0.0x1/'],
    ['short loopback', 'http://127.1/'],
    ['percent-encoded loopback', 'http://%31%32%37.0.0.1/'],
    ['full-width digits', 'http://１２７.0.0.1/'],
    ['loopback with a final dot', 'http://127.0.0.1./'],
    ['zero', 'http://0/'],
    ['cloud metadata', 'http://169.254.169.254/latest/meta-data/'],
    ['IPv6 loopback', 'http://[::1]/'],
    ['IPv4-mapped loopback', 'http://[::ffff:127.0.0.1]/'],
    ['NAT64 of loopback', 'http://[64:ff9b::127.0.0.1]/'],
    ['6to4 of a private address', 'http://[2002:0a00:0001::]/'],
    ['unique-local', 'http://[fd12:3456::1]/'],
    ['a mail server', 'http://93.184.215.14:25/'],
    ['mail submission, by name', 'https://example.com:587/'],
    ['a remote shell', 'http://example.com:22/'],
    ['the port that cannot be', 'http://example.com:0/'],
  ])('refuses %s', async (_what, url) => {
    const error = await refusalOf(guardWith(answering('8.8.8.8')).checkUrl(url));
    expect(error.code).toBe('VALIDATION_ERROR');
  });

  it.each([
    ['a private address', ['10.0.0.1']],
    ['one private address among several', ['8.8.8.8', '1.1.1.1', '192.168.0.1']],
    ['one private IPv6 address among public ones', ['8.8.8.8', 'fd00::1']],
    ['a mapped loopback', ['::ffff:127.0.0.1']],
    ['no address at all', []],
    ['more addresses than any server has', Array.from({ length: 65 }, () => '8.8.8.8')],
  ])('refuses a name that resolves to %s', async (_what, addresses) => {
    const error = await refusalOf(guardWith(answering(...addresses)).checkUrl('https://a.test/'));
    expect(error.code).toBe('VALIDATION_ERROR');
  });

  it.each([
    ['operator', '; THE_SETTING allows private ones'],
    ['customer', ': its address must be public'],
  ] as const)(
    'refuses an %s with one sentence whether a name is private, unknown or literal',
    async (giver, rule) => {
      const failing: Resolver = () => Promise.reject(new Error('ENOTFOUND internal-db.corp'));
      const sentences = await Promise.all([
        refusalOf(guardWith(failing).checkUrl('http://internal-db.corp/', giver)),
        refusalOf(guardWith(answering('10.9.8.7')).checkUrl('http://internal-db.corp/', giver)),
        refusalOf(guardWith(answering()).checkUrl('http://10.9.8.7/', giver)),
      ]);
      const texts = new Set(sentences.map((error) => error.publicMessage));
      expect([...texts]).toEqual([`The host of this URL cannot be used${rule}.`]);
    },
  );

  it('tells operators a name that does not resolve apart from one that is private', async () => {
    const told = async (resolver: Resolver) => {
      const options = {
        allowedPrivateHosts: [],
        allowedBy: 'THE_SETTING',
        tellsUnknownNames: true,
      };
      const parts = { resolver, logger: silentLogger, clock: createSystemClock() };
      const guard = createAddressGuard({ ...options, ...parts });
      return (await refusalOf(guard.checkUrl('http://vendor.test/'))).publicMessage;
    };
    expect(await told(() => Promise.reject(new Error('ENOTFOUND')))).toMatch(
      /^vendor\.test does not resolve/,
    );
    expect(await told(answering('10.9.8.7'))).toMatch(/THE_SETTING allows private ones/);
    const many = Array.from({ length: 65 }, () => '8.8.8.8');
    expect(await told(answering(...many))).toMatch(/its address must be public/);
  });

  it('accepts names and literals that are public', async () => {
    const guard = guardWith(answering('8.8.8.8', '2606:4700:4700::1111'));
    await expect(guard.checkUrl('https://example.com/hook?x=1')).resolves.toHaveProperty(
      'hostname',
      'example.com',
    );
    await expect(guard.checkUrl('http://8.8.8.8:8080/')).resolves.toHaveProperty('port', '8080');
  });

  it('refuses a name whose resolution does not end', async () => {
    const clock = createFakeClock();
    const guard = guardWith(() => new Promise(() => {}), [], clock);
    const outcome = refusalOf(guard.checkUrl('https://slow.test/'));
    await clock.advance(await clock.untilNextTimer());
    expect((await outcome).code).toBe('VALIDATION_ERROR');
  });
});

describe('hosts that the operator allows to be private', () => {
  it.each([
    ['a host on any port', 'vendor.local', 'http://vendor.local:8123/'],
    ['a host in another case', 'Vendor.LOCAL', 'http://vendor.local/'],
    ['a host with a final dot', 'vendor.local', 'http://vendor.local./'],
    ['a host and its port', 'vendor.local:8123', 'http://vendor.local:8123/'],
    ['a host and the scheme default port', 'vendor.local:80', 'http://vendor.local/'],
    ['a host and the port of https', 'vendor.local:443', 'https://vendor.local/'],
    ['an IPv4 literal', '127.0.0.1', 'http://127.0.0.1:9/'],
    ['an IPv4 literal and its port', '127.0.0.1:9', 'http://127.0.0.1:9/'],
    ['an IPv6 literal', '[::1]', 'http://[::1]:9/'],
    ['an IPv6 literal and its port', '[::1]:9', 'http://[::1]:9/'],
  ])('lets through %s', async (_what, entry, url) => {
    const guard = guardWith(answering('127.0.0.1'), [entry]);
    await expect(guard.checkUrl(url)).resolves.toBeInstanceOf(URL);
  });

  it.each([
    ['another port', 'vendor.local:8123', 'http://vendor.local:8124/'],
    ['a longer name', 'vendor.local', 'http://evil.vendor.local/'],
    ['a name that ends alike', 'vendor.local', 'http://notvendor.local/'],
    ['another literal', '127.0.0.1', 'http://127.0.0.2/'],
    ['a name that leads to an allowed literal', '127.0.0.1', 'http://vendor.local/'],
  ])('does not let through %s', async (_what, entry, url) => {
    const guard = guardWith(answering('127.0.0.1'), [entry]);
    expect((await refusalOf(guard.checkUrl(url))).code).toBe('VALIDATION_ERROR');
  });

  it.each(['http://a.test', 'a.test/path', 'user@a.test', '', 'a b', 'a.test:99999', '::1'])(
    'refuses to start with the entry %p',
    (entry) => {
      expect(() => guardWith(answering(), [entry])).toThrow(RangeError);
    },
  );
});
