import { basename, join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** The service that `vite web/dashboard` proxies data requests to during development. */
const service = 'http://127.0.0.1:4000'

/** Descriptions of operations and fields, which no page shows and every page would load. */
const withoutDescriptions: Plugin = {
  name: 'without-descriptions',
  enforce: 'pre',
  transform(code, id) {
    if (!id.includes('/src/contract/')) return null
    const text = /\b(description|summary):\s*(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`$\\]*`)/g
    return { code: code.replace(text, "$1: ''"), map: null }
  },
}

/** What a window loads step by step. Texts are loaded by the first step and looked up from the second on. */
const firstSteps = ['main.tsx', 'dashboard.tsx', 'pages/sign-in/sign-in-page.tsx', 'pages/home/home-page.tsx'].map(
  (file) => join(import.meta.dirname, file),
)

interface Modules {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

/** One file for what each of the first steps imports, directly or not, and none before it does. */
function nameFirstFile(): (id: string, modules: Modules) => string | null {
  const steps = new Map<string, string>()
  return (id, modules) => {
    const add = (module: string, step: string) => {
      if (steps.has(module)) return
      steps.set(module, step)
      for (const next of modules.getModuleInfo(module)?.importedIds ?? []) add(next, step)
    }
    if (steps.size === 0) for (const step of firstSteps) add(step, step)
    const step = steps.get(id)
    return step === undefined || firstSteps.includes(id) ? null : `of-${basename(step, '.tsx')}`
  }
}

/** Lets browsers fetch the second step with the first, which imports it only once it has run. */
const preloadDashboard: Plugin = {
  name: 'preload-dashboard',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const dashboard = chunks.find(({ facadeModuleId }) => facadeModuleId === firstSteps[1])
      if (dashboard === undefined) return
      return [dashboard.fileName, ...dashboard.imports]
        .filter((file) => !html.includes(file))
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/dashboard/${file}` },
        }))
    },
  },
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  css: { transformer: 'lightningcss' },
  plugins: [withoutDescriptions, preloadDashboard, react()],
  build: {
    outDir: 'dist',
    manifest: 'manifest.json',
    target: 'es2023',
    // Never inline assets: the CSP only loads files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_000,
    // One file of styles: cheaper than a dozen small requests.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        // The service refuses names with more dots, which chunks named after a page's style would have.
        chunkFileNames: ({ name }) => `assets/${name.replaceAll('.', '-')}-[hash].js`,
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'zod', test: /node_modules\/zod\/|without-code-of-text/, priority: 1 },
            { name: nameFirstFile(), debugName: 'first steps', priority: 1 },
            // Components of five pages or more.
            { name: 'shared', test: /web\/(?:ui|dashboard\/(?:api|forms))\//, minShareCount: 5 },
          ],
        },
      },
    },
  },
  server: { proxy: Object.fromEntries(['/auth', '/admin', '/pull', '/v2', '/readyz'].map((path) => [path, service])) },
})
