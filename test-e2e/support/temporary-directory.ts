import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeWithUs } from './watchdog';

/** An empty directory that nobody else uses, and how to remove it. */
export function makeDirectory(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'tollgate-e2e-'));
  const release = removeWithUs(path);
  return {
    path,
    remove() {
      rmSync(path, { recursive: true, force: true });
      release();
    },
  };
}
