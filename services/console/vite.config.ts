import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// The gateway serves the console under /console/, assets included.
export default defineConfig({
  base: '/console/',
  plugins: [react()],
  build: { outDir: 'dist', emptyOutDir: true, sourcemap: false },
});
