import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** The service that `vite web/dashboard` proxies data requests to during development. */
const service = 'http://127.0.0.1:4000'

/** What the OpenAPI document says of operations and fields, which no page shows and every page would load. */
const withoutDescriptions: Plugin = {
  name: 'without-descriptions',
  enforce: 'pre',
  transform(code, id) {
    if (!id.includes('/src/contract/')) return null
    const text = /\b(description|summary):\s*(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`$\\]*`)/g
    return { code: code.replace(text, "$1: ''"), map: null }
  },
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  plugins: [withoutDescriptions, react()],
  build: {
    outDir: 'dist',
    manifest: 'manifest.json',
    target: 'es2023',
    // Never inline assets: the CSP only loads files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_000,
    // Bundle all styles, and the components of five pages or more: cheaper than a dozen small requests.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        // The service sends no name with a further dot, as parts would have that share the style of a page.
        chunkFileNames: ({ name }) => `assets/${name.replaceAll('.', '-')}-[hash].js`,
        codeSplitting: {
          groups: [
            { name: 'zod', test: /node_modules\/zod\/|without-code-of-text/, priority: 1 },
            {
              name: 'shared',
              test: /web\/(?:ui|words|dashboard\/(?:api|forms|shell))\/(?!palette\/|shortcut-help|german\/)/,
              minShareCount: 5,
            },
          ],
        },
      },
    },
  },
  server: { proxy: Object.fromEntries(['/auth', '/admin', '/pull', '/v2', '/readyz'].map((path) => [path, service])) },
})
