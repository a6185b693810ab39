import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The service that `vite web/dashboard` hands requests for data to, while pages are worked on. */
const service = 'http://127.0.0.1:4000'

export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  plugins: [react()],
  build: {
    outDir: 'dist',
    manifest: 'manifest.json',
    target: 'es2023',
    // Files of their own always, because the policy of the pages loads nothing that is written into them.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_000,
    // All styles and all shared components at once: less than a dozen small files cost to ask for.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'zod', test: /node_modules\/zod\/|without-code-of-text/, priority: 1 },
            {
              name: 'shared',
              test: /web\/(?:ui|dashboard\/(?:api|forms|shell))\/(?!command-palette)/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
  server: { proxy: Object.fromEntries(['/auth', '/admin', '/pull', '/v2', '/readyz'].map((path) => [path, service])) },
})
