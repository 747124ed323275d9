import { describeBrokenOff, describeMoney } from './describe-money';

const in_words = '5.00 credited - 0.037 used = 4.963, adds up; 4.93 reserved, 0.033 available';
const balance = { reserved: '4.93', available: '0.033' };
const account = { status: 'active' };

test('a balance is told as the gateway says it, and with nothing more where that is all', () => {
  expect(describeMoney({ account, balance, in_words })).toBe(in_words);
});

test.each([
  [{ ok: true, findings: [] }, 'audited since: adds up'],
  [{ ok: false, findings: [{}, {}] }, 'audited since: does NOT add up (2 findings in audit)'],
])('an audit that came after the balance has its verdict', (auditedLater, told) => {
  const line = describeMoney({ account, auditedLater, balance, in_words });
  expect(line).toBe(`${in_words}; ${told}`);
});

test('of a balance that is reserved as a whole it is told that a part is soon back', () => {
  const held = { reserved: '4.963', available: '0.00' };
  const back = `${in_words}; what none of them needs is back when its leases end, by default within 15 s`;
  expect(describeMoney({ account, balance: held, in_words })).toBe(back);
  const empty = { ...held, reserved: '0.00' };
  expect(describeMoney({ account, balance: empty, in_words })).toBe(in_words);
});

test.each([
  ['-10.00', /; it pays 10 % more than list prices$/],
  ['12.50', /; it pays 12\.5 % less than list prices$/],
  ['0.00', /available$/],
])('a discount of %s is a part of what an account is told to pay', (discount, told) => {
  expect(describeMoney({ account: { ...account, discount }, balance, in_words })).toMatch(told);
});

test('what is unusual with an account stands in its line with who made it so, and when', () => {
  const line = describeMoney({ account: { status: 'suspended' }, balance, in_words });
  expect(line).toMatch(/; the account is suspended$/);
  const at = '2026-10-02T10:00:00.000Z';
  const [id, by] = ['acc_1', 'ann@acme.test'];
  const off = { type: 'account', name: 'Acme', change: 'suspended' } as const;
  const switched_off = {
    ...off,
    id,
    at,
    by,
    audit_entry_id: 'aud_1',
    reason: null,
    on_again: null,
  };
  const suspended = { status: 'suspended', id, switched_off };
  expect(describeMoney({ account: suspended, balance, in_words })).toMatch(
    /; the account is suspended \(2026-10-02T10:00:00\.000Z by ann@acme\.test\): tollgate account resume acc_1$/,
  );
  const dearer = { status: 'active', discount: '-10.00', discount_set: { at, by } };
  expect(describeMoney({ account: dearer, balance, in_words })).toMatch(
    /; it pays 10 % more than list prices \(2026-10-02T10:00:00\.000Z by ann@acme\.test\)$/,
  );
});

test('what is reserved is told with the requests that hold it, and what of it none does', () => {
  const one = {
    id: 'req_1',
    client_request_id: null,
    key_id: 'key_1',
    requested_model: 'ok',
    model: 'ok',
    channel_id: 'chn_1',
    attempts: 1,
    reserved: '0.276451',
    started_at: '2026-10-02T10:00:00.000Z',
    running_ms: 4_200,
  };
  const tell = (running: object, reserved = '0.276451') => {
    const told = { count: 1, reserved: '0.276451', items: [one], silent: [], ...running };
    const names = new Map([['chn_1', 'first channel']]);
    const held = { ...balance, reserved };
    return describeMoney({ account, balance: held, in_words, running: told, names });
  };
  expect(tell({})).toMatch(
    /; what is reserved is held by 1 running request: req_1 \(ok at "first channel", for 4 s\)$/,
  );
  expect(tell({}, '4.93')).toContain(
    '; 0.276451 of what is reserved is held by 1 running request: req_1 (ok at "first channel", ' +
      'for 4 s); the rest of it is held for what comes next, back when its leases end, by default within 15 s of the last',
  );
  expect(tell({ count: 150, items: [one, one, one, one] })).toContain(
    'for 4 s), req_1 (ok at "first channel", for 4 s) and 147 more',
  );
  expect(tell({ count: 0, reserved: '0.00', items: [], silent: ['b:1'] })).toContain(
    '; no request runs; what is reserved is held for what comes next, back when its leases end, by default within 15 s; ' +
      'b:1 did not say what runs there',
  );
});

test('what was paid for answers that broke off is told with why and the newest of them', () => {
  const charge = (request_id: string, amount: string, reason: string) => {
    return { request_id, amount, reason };
  };
  const whole = charge('req_5', '1.00', 'stop');
  const free = charge('req_4', '0.00', 'client_gone');
  expect(describeBrokenOff([whole, free], 10)).toBeUndefined();
  const broken = [
    charge('req_3', '0.000065', 'vendor_gone'),
    charge('req_2', '0.25', 'client_gone'),
    charge('req_1', '0.10', 'client_gone'),
  ];
  expect(describeBrokenOff([whole, free, ...broken], 4)).toBe(
    '0.350065 of its last 4 charges is for 3 answers that broke off ' +
      '(vendor_gone 1, client_gone 2), the newest is req_3',
  );
  expect(describeBrokenOff(broken.slice(0, 1), 10)).toBe(
    '0.000065 of its last 1 charge is for 1 answer that broke off (vendor_gone 1), the newest is req_3',
  );
});
