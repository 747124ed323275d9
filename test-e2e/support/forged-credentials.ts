import { createDecipheriv, createPrivateKey, hkdfSync, type KeyObject } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { readAllFiles } from './canary-search';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const DIGITS = 6;

/** The text of a key with the checksum that is right for it, as anybody can compute one. */
export function withChecksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let index = 0; index < DIGITS; index += 1) {
    digits = `${BASE62[rest % BASE62.length]}${digits}`;
    rest = Math.floor(rest / BASE62.length);
  }
  return `${body}${digits}`;
}

/** What somebody holds who has both the data and the keys that seal it. */
export interface StolenSigningKey {
  readonly kid: string;
  readonly publicKeyPem: string;
  readonly privateKey: KeyObject;
}

const PUBLIC_KEY = /-----BEGIN PUBLIC KEY-----\n[A-Za-z0-9+/=\n]+-----END PUBLIC KEY-----\n/;
const SEALED = /v1\.[\w-]+\.([\w-]{200,})/;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Finds the pair of `kid` in the data directory and opens its private half. */
export function stealSigningKey(
  dataDirectory: string,
  sealingSecret: Buffer,
  kid: string,
): StolenSigningKey {
  const record = readAllFiles(dataDirectory)
    .map(({ bytes }) => bytes.toString('latin1'))
    .flatMap((text) => text.split(kid).slice(1))
    .find((text) => PUBLIC_KEY.test(text.slice(0, 2000)) && SEALED.test(text.slice(0, 2000)));
  const publicKeyPem = PUBLIC_KEY.exec(record ?? '')?.[0];
  const sealed = SEALED.exec(record ?? '')?.[1];
  if (publicKeyPem === undefined || sealed === undefined) throw new Error('no signing key');
  const secret = hkdfSync('sha256', sealingSecret, '', 'tollgate sealing token signing keys', 32);
  const box = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv(
    'aes-256-gcm',
    Buffer.from(secret),
    box.subarray(0, NONCE_BYTES),
  );
  decipher.setAAD(Buffer.from(`identity/signing-key/${kid}`));
  decipher.setAuthTag(box.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = Buffer.concat([
    decipher.update(box.subarray(NONCE_BYTES + TAG_BYTES)),
    decipher.final(),
  ]);
  return { kid, publicKeyPem, privateKey: createPrivateKey(text.toString('utf8')) };
}
