import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** A key of the rotatable set; the first seals, all of them open. */
export interface SealingKey {
  readonly id: string;
  /** At least 32 bytes; the first 32 are the AES-256 key. */
  readonly secret: Buffer;
}

/** Seals signing secrets so that each opens for its own endpoint only. */
export interface Sealer {
  seal(secret: string, endpointId: string): string;
  /** Throws when the text was altered, belongs to another endpoint, or its key is gone. */
  open(sealed: string, endpointId: string): string;
}

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM with the endpoint's id as additional data: `<key id>.<base64url nonce+text+tag>`. */
export function createSealer(keys: readonly SealingKey[]): Sealer {
  const [current] = keys;
  if (current === undefined) throw new Error('at least one sealing key is needed');
  const keyOf = (key: SealingKey) => key.secret.subarray(0, KEY_BYTES);
  return {
    seal(secret, endpointId) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, keyOf(current), nonce);
      cipher.setAAD(associatedData(endpointId));
      const parts = [nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()];
      return `${current.id}.${Buffer.concat(parts).toString('base64url')}`;
    },
    open(sealed, endpointId) {
      const [keyId, text = ''] = sealed.split('.', 2);
      const key = keys.find((candidate) => candidate.id === keyId);
      if (key === undefined) throw new Error('the sealing key of this secret is not configured');
      const bytes = Buffer.from(text, 'base64url');
      const decipher = createDecipheriv(CIPHER, keyOf(key), bytes.subarray(0, NONCE_BYTES));
      decipher.setAAD(associatedData(endpointId));
      decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
      const body = bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES);
      return decipher.update(body, undefined, 'utf8') + decipher.final('utf8');
    },
  };
}

/** Says what was sealed, too: a credential of another service does not open as a signing secret. */
function associatedData(endpointId: string): Buffer {
  return Buffer.from(`webhook-secret:${endpointId}`);
}
