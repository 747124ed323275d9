import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { PRIVATE_FILE } from './private-files';

/** Secrets that the embedded topology makes for itself, as environment variables hold them. */
export interface GeneratedSecrets {
  readonly serviceSecret: string;
  readonly sealingKeys: string;
  readonly keyPeppers: string;
  /** Until it was shown once. */
  readonly operatorPassword?: string | undefined;
}

const SECRET_BYTES = 32;
const PASSWORD_BYTES = 15;

/**
 * Reads the secrets, or makes and stores them at the first start. `mayCreate` is false when data
 * that was sealed with lost secrets would become unreadable.
 */
export function loadGeneratedSecrets(path: string, mayCreate: () => boolean): GeneratedSecrets {
  const text = readIfPresent(path);
  if (text !== undefined) return parseSecrets(path, text);
  if (!mayCreate()) {
    throw new Error(
      `${path} is missing, and without it the stored keys and credentials cannot be read: ` +
        'restore it, or start with an empty data directory',
    );
  }
  const secrets = {
    serviceSecret: randomText(SECRET_BYTES),
    sealingKeys: `k1:${randomBytes(SECRET_BYTES).toString('base64')}`,
    keyPeppers: `p1:${randomBytes(SECRET_BYTES).toString('base64')}`,
    operatorPassword: generatePassword(),
  };
  storeGeneratedSecrets(path, secrets);
  return secrets;
}

/** Replaces the file as a whole and on disk, so that a crash leaves the old one or the new one. */
export function storeGeneratedSecrets(path: string, secrets: GeneratedSecrets): void {
  const temporary = `${path}.new`;
  writeFileSync(temporary, `${JSON.stringify(secrets, undefined, 2)}\n`, {
    mode: PRIVATE_FILE,
    flush: true,
  });
  renameSync(temporary, path);
  const directory = openSync(dirname(path), 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/** A password that nobody can guess; 20 characters. */
export function generatePassword(): string {
  return randomText(PASSWORD_BYTES);
}

function randomText(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function parseSecrets(path: string, text: string): GeneratedSecrets {
  const unreadable = () => new Error(`${path} is damaged: restore it from a backup`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unreadable();
  }
  if (typeof value !== 'object' || value === null) throw unreadable();
  const members = value as Record<string, unknown>;
  const { serviceSecret, sealingKeys, keyPeppers, operatorPassword } = members;
  if (typeof serviceSecret !== 'string' || typeof sealingKeys !== 'string') throw unreadable();
  if (typeof keyPeppers !== 'string') throw unreadable();
  const secrets = { serviceSecret, sealingKeys, keyPeppers };
  return typeof operatorPassword === 'string' ? { ...secrets, operatorPassword } : secrets;
}
