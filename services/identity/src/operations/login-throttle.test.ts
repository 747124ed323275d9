import { createFakeClock } from '@tollgate/testkit';
import { createLoginThrottle } from './login-throttle';

test('addresses of one IPv6 network count as one address', async () => {
  const counted: string[] = [];
  const loginAttempts = {
    async count(key: string) {
      counted.push(key);
      return 1;
    },
    clear: async () => {},
    remember: async () => {},
    isRemembered: async () => true,
  };
  const throttle = createLoginThrottle({ clock: createFakeClock(), loginAttempts });
  const counterOf = async (address: string) => {
    await throttle.admit('ada@example.com', address);
    return counted.pop();
  };
  const one = await counterOf('2001:db8:1:2::1');
  expect(one).toMatch(/^pair:[0-9a-f]{64}$/);
  expect(await counterOf('2001:0db8:0001:0002:ffff::9')).toBe(one);
  expect(await counterOf('2001:db8:1:3::1')).not.toBe(one);
  expect(await counterOf('::1')).toBe(await counterOf('0:0:0:0:0:0:0:1'));
  expect(await counterOf('10.0.0.1')).not.toBe(await counterOf('10.0.0.2'));
});
