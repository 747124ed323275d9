import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/** A key of a rotatable set: the first one is used for new work, all of them for old. */
export interface NamedSecret {
  readonly id: string;
  /** At least 32 bytes. */
  readonly secret: Buffer;
}

/** Seals text that must be read again, so that it opens for one record only. */
export interface Sealer {
  seal(plain: string, recordId: string): string;
  /** Throws when the text was altered, belongs to another record, or its key is gone. */
  open(sealed: string, recordId: string): string;
}

/** A sealer that says which of its keys seals, so that older work of it can be told apart. */
export interface RotatingSealer extends Sealer {
  readonly keyId: string;
}

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';

/**
 * AES-256-GCM with the record's id as additional data: text that is copied into another record does
 * not open. Each purpose has keys of its own (HKDF-SHA256), so a sealed vendor credential does not
 * open as a signing secret either. Form: `v1.<key id>.<base64url of nonce, tag and text>`. Throws
 * RangeError without a key.
 */
export function createSealer(keys: readonly NamedSecret[], purpose: string): RotatingSealer {
  const [current] = keys;
  if (current === undefined) throw new RangeError('at least one sealing key is needed');
  const derived = new Map(keys.map((key) => [key.id, deriveKey(key.secret, purpose)]));
  const keyOf = (id: string): KeyObject => {
    const key = derived.get(id);
    if (key === undefined) throw new Error('the sealing key of this record is not configured');
    return key;
  };
  return {
    keyId: current.id,
    seal(plain, recordId) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, keyOf(current.id), nonce);
      cipher.setAAD(Buffer.from(recordId));
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      const box = Buffer.concat([nonce, cipher.getAuthTag(), text]);
      return `${VERSION}.${current.id}.${box.toString('base64url')}`;
    },
    open(sealed, recordId) {
      const [version, id = '', box = ''] = sealed.split('.');
      if (version !== VERSION) throw new Error('sealed in a form that is not known');
      const bytes = Buffer.from(box, 'base64url');
      const options = { authTagLength: TAG_BYTES };
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(CIPHER, keyOf(id), nonce, options);
      decipher.setAAD(Buffer.from(recordId));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const text = bytes.subarray(NONCE_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
    },
  };
}

/** The id of the key that sealed the text; undefined when it is in no form that is known. */
export function sealingKeyIdOf(sealed: string): string | undefined {
  const [version, id, box] = sealed.split('.');
  return version === VERSION && box !== undefined ? id : undefined;
}

function deriveKey(secret: Buffer, purpose: string): KeyObject {
  const bytes = hkdfSync('sha256', secret, '', `tollgate sealing ${purpose}`, KEY_BYTES);
  return createSecretKey(Buffer.from(bytes));
}
