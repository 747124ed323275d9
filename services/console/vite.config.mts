import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** What a browser fetches before it shows the sign-in page, compressed. */
const FIRST_LOAD_MAX_BYTES = 200_000;
const COMPRESSED = new Set(['.js', '.css', '.svg']);
/** Below this the headers weigh more than what is saved. */
const COMPRESSED_MIN_BYTES = 1_024;

/** Within a percent or two of the best, in a tenth of its time. */
const BROTLI_QUALITY = 9;

/** Lays a compressed copy beside every file of the build, once, so that no answer has to wait. */
function compressAssets(): Plugin {
  return {
    name: 'compress-assets',
    apply: 'build',
    writeBundle({ dir = '' }) {
      for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !COMPRESSED.has(extname(entry.name))) continue;
        const path = join(entry.parentPath, entry.name);
        const text = readFileSync(path);
        if (text.length < COMPRESSED_MIN_BYTES) continue;
        const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
        writeFileSync(`${path}.br`, brotliCompressSync(text, { params }));
        writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }));
      }
    },
  };
}

/** A first load that has grown too heavy fails the build, with what it is made of. */
function boundFirstLoad(): Plugin {
  return {
    name: 'bound-first-load',
    apply: 'build',
    writeBundle({ dir = '' }) {
      const html = readFileSync(join(dir, 'index.html'), 'utf8');
      const files = [...html.matchAll(/(?:src|href)="\/console\/(assets\/[^"]+)"/g)];
      const sizes = files.map(([, file = '']) => ({
        file,
        bytes: gzipSync(readFileSync(join(dir, file)), { level: 9 }).length,
      }));
      const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
      this.info(`first load: ${(total / 1000).toFixed(1)} kB gzip in ${sizes.length} files`);
      if (sizes.length === 0) this.error('index.html names no asset');
      if (total > FIRST_LOAD_MAX_BYTES) {
        const list = sizes.map(({ file, bytes }) => `  ${file} ${bytes}`).join('\n');
        this.error(`the first load is ${total} bytes, at most ${FIRST_LOAD_MAX_BYTES}:\n${list}`);
      }
    },
  };
}

// The gateway serves the console under /console/, assets included. The file server puts a nonce of
// its own into every answer in place of the one named here.
export default defineConfig({
  base: '/console/',
  plugins: [react(), boundFirstLoad(), compressAssets()],
  html: { cspNonce: '__CSP_NONCE__' },
  build: { outDir: 'dist', emptyOutDir: true, sourcemap: false, assetsInlineLimit: 0 },
});
