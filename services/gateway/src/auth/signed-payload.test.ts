import { createHmac } from 'node:crypto';
import { AppError } from '@tollgate/core';
import { parseSignerSecret, type SignerSecret, verifySignature } from './signed-payload';

const NOW = Date.UTC(2026, 1, 3, 10);
const BODY = Buffer.from('{"type":"topup.succeeded"}');

function secretOf(name: string, fill: number): SignerSecret {
  const encoded = Buffer.alloc(32, fill).toString('base64');
  const parsed = parseSignerSecret(`${name}:whsec_${encoded}`);
  if (parsed === undefined) throw new Error(name);
  return parsed;
}
const shop = secretOf('shop', 1);
const rotated = secretOf('shop', 2);
const other = secretOf('other', 3);
const SECRETS = [shop, rotated, other];

function sign({ secret }: SignerSecret, at = NOW, id = 'evt_1', body = BODY) {
  const timestamp = String(Math.floor(at / 1000));
  const hmac = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${hmac.digest('base64')}`,
  };
}
const verify = (headers: Record<string, string>, signer = 'shop', bytes = BODY) =>
  verifySignature(SECRETS, { signer, headers, bytes }, NOW);

test('what any secret of the signer signed is taken, also among other signatures', () => {
  expect(verify(sign(shop))).toBe('evt_1');
  expect(verify(sign(rotated))).toBe('evt_1');
  const signed = sign(shop);
  const several = `v1a,xyz v1,AAAA ${signed['webhook-signature']}`;
  expect(verify({ ...signed, 'webhook-signature': several })).toBe('evt_1');
  expect(verify(sign(shop, NOW - 300_000))).toBe('evt_1');
});

test('everything else is refused with one and the same sentence', () => {
  const signed = sign(shop);
  const { 'webhook-id': _id, ...withoutId } = signed;
  const tries = [
    () => verify({}),
    () => verify(withoutId),
    () => verify({ ...signed, 'webhook-id': 'evt_2' }),
    () => verify({ ...signed, 'webhook-timestamp': String(NOW / 1000 + 1) }),
    () => verify(sign(shop, NOW - 301_000)),
    () => verify(sign(shop, NOW + 301_000)),
    () => verify(signed, 'shop', Buffer.from('{}')),
    () => verify(signed, 'other'),
    () => verify(sign(other), 'shop'),
    () => verify(signed, 'unknown'),
    () => verify({ ...signed, 'webhook-signature': signed['webhook-signature'].slice(3) }),
    () => verify({ ...signed, 'webhook-signature': '' }),
    () => verify({ ...signed, 'webhook-timestamp': 'NaN' }),
    () => verify(sign(shop, NOW, 'a b')),
  ];
  const said = tries.map((attempt) => {
    try {
      return attempt();
    } catch (error) {
      return error instanceof AppError ? `${error.code} ${error.publicMessage}` : String(error);
    }
  });
  expect(new Set(said)).toEqual(
    new Set(['UNAUTHORIZED The signature is missing, wrong or too old.']),
  );
});

test.each([
  'shop',
  'shop:secret',
  `Shop:whsec_${Buffer.alloc(32).toString('base64')}`,
  `shop:whsec_${Buffer.alloc(23).toString('base64')}`,
])('%s is no secret', (item) => {
  expect(parseSignerSecret(item)).toBeUndefined();
});
