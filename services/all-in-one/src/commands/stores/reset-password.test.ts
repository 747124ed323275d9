import { describeUseOfCode } from './reset-password';

const at = '2026-10-02T10:00:00.000Z';
const person = { user_id: 'usr_1', account_id: 'acc_1', user_status: 'active' };

test('a code says where it is typed', () => {
  expect(describeUseOfCode(person)).toMatch(/^type the code in the console/);
});

test('a code says that it ends a lock of too many wrong passwords', () => {
  expect(describeUseOfCode(person)).toMatch(/locked out .* is let in with the new one at once, /);
});

test('what keeps a code from helping is said with it, and what to do about it', () => {
  const disabled = { ...person, user_status: 'disabled', switched_off: { at, by: 'op@x.test' } };
  expect(describeUseOfCode(disabled)).toMatch(
    /^this user is disabled since 2026-10-02T10:00:00\.000Z by op@x\.test, .*`tollgate user enable usr_1`/,
  );
  expect(describeUseOfCode({ ...disabled, switched_off: null })).toMatch(
    /^this user is disabled, /,
  );
  expect(describeUseOfCode({ ...person, account_status: 'suspended' })).toMatch(
    /suspended: the password is taken, and every page and request is refused until `tollgate account resume acc_1`$/,
  );
});
