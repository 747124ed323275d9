import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

/** A named key of the sealing set; ids let old records say which key opens them. */
export interface SealingKey {
  readonly id: string;
  /** 256 bits. */
  readonly key: KeyObject;
}

/**
 * AES-256-GCM for secrets that must be read again. Each sealed text is bound to the record it
 * belongs to: moved to another record it does not open.
 */
export interface Sealer {
  seal(plaintext: string, record: string): string;
  /** Throws when the text was changed, moved, or sealed with a key that is gone. */
  open(sealed: string, record: string): string;
}

const VERSION = 'v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Seals with the first key and opens with any; throws RangeError without one. */
export function createSealer(keys: readonly SealingKey[]): Sealer {
  const [present] = keys;
  if (present === undefined) throw new RangeError('at least one sealing key is needed');
  return {
    seal(plaintext, record) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', present.key, iv);
      cipher.setAAD(Buffer.from(record));
      const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      const box = Buffer.concat([iv, cipher.getAuthTag(), body]);
      return `${VERSION}.${present.id}.${box.toString('base64url')}`;
    },
    open(sealed, record) {
      const [version, id, box, ...rest] = sealed.split('.');
      const key = keys.find((candidate) => candidate.id === id);
      if (version !== VERSION || key === undefined || box === undefined || rest.length > 0) {
        throw new Error(`sealed with an unknown key or form: ${version}.${id}`);
      }
      const bytes = Buffer.from(box, 'base64url');
      const iv = bytes.subarray(0, IV_BYTES);
      const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key.key, iv, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(record));
      decipher.setAuthTag(tag);
      const body = bytes.subarray(IV_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
    },
  };
}
