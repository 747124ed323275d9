import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** A key of the rotatable set; the first seals, all of them open. */
export interface SealingKey {
  readonly id: string;
  /** At least 32 bytes; the first 32 are the AES-256 key. */
  readonly secret: Buffer;
}

/** Seals text so that only this record can be opened with it. */
export interface Sealer {
  seal(plain: string, recordId: string): string;
  /** Throws when the text was altered, belongs to another record, or its key is gone. */
  open(sealed: string, recordId: string): string;
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM, the record's id as additional data: a sealed credential that is copied into another
 * document does not open. Format: `<key id>.<base64url of nonce, tag and text>`.
 */
export function createSealer(keys: readonly SealingKey[]): Sealer {
  const current = keys[0];
  if (current === undefined) throw new Error('at least one sealing key is needed');
  const byId = new Map(keys.map((key) => [key.id, key.secret.subarray(0, KEY_BYTES)]));
  return {
    seal(plain, recordId) {
      const nonce = randomBytes(NONCE_BYTES);
      const key = current.secret.subarray(0, KEY_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(recordId));
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      const sealed = Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
      return `${current.id}.${sealed}`;
    },
    open(sealed, recordId) {
      const dot = sealed.indexOf('.');
      const key = byId.get(sealed.slice(0, dot));
      if (key === undefined) throw new Error('the sealing key of this record is not configured');
      const bytes = Buffer.from(sealed.slice(dot + 1), 'base64url');
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce)
        .setAAD(Buffer.from(recordId))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const text = bytes.subarray(NONCE_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
    },
  };
}
