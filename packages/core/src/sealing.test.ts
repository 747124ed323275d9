import { createSealer } from './sealing';

const key = (id: string) => ({ id, secret: Buffer.alloc(32, id) });

test('sealed text opens for its own record and no other', () => {
  const sealer = createSealer([key('a')], 'test');
  const sealed = sealer.seal('credential', 'chn_1');
  expect(sealed).not.toContain('credential');
  expect(sealer.open(sealed, 'chn_1')).toBe('credential');
  expect(() => sealer.open(sealed, 'chn_2')).toThrow();
});

test('text that was sealed for one purpose does not open for another', () => {
  const sealed = createSealer([key('a')], 'one').seal('credential', 'r');
  expect(() => createSealer([key('a')], 'another').open(sealed, 'r')).toThrow();
});

test('altered text, a cut one and one of another form do not open', () => {
  const sealer = createSealer([key('a')], 'test');
  const sealed = sealer.seal('credential', 'r');
  // Not the last character: some of its bits may stand for nothing.
  const other = sealed.at(-5) === 'A' ? 'B' : 'A';
  const altered = `${sealed.slice(0, -5)}${other}${sealed.slice(-4)}`;
  for (const text of [altered, sealed.slice(0, -10), 'v0.a.AAAA', 'v1.a.AAAA', '']) {
    expect(() => sealer.open(text, 'r')).toThrow();
  }
});

test('after a rotation old records still open, and not once their key is gone', () => {
  const sealed = createSealer([key('old')], 'test').seal('credential', 'r');
  expect(createSealer([key('new'), key('old')], 'test').open(sealed, 'r')).toBe('credential');
  expect(() => createSealer([key('new')], 'test').open(sealed, 'r')).toThrow(/not configured/);
});

test('without a key nothing is sealed', () => {
  expect(() => createSealer([], 'test')).toThrow(RangeError);
});
