import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { build, type Plugin } from 'vite'

const root = resolve(import.meta.dirname, '../..')

/** Below `node_modules`, so that the sample finds the packages of the checkout, and no tool looks at it. */
const cache = join(root, 'node_modules/.cache')

export interface SampleAlias {
  find: string | RegExp
  replacement: string
}

/** Under which names the packages of each client are installed here. */
const packages = {
  v4: [
    {
      find: '@ai-sdk/react',
      replacement: join(root, 'test/clients/ai-v4/node_modules/ai-react-v4/dist/index.mjs'),
    },
  ],
  v5: [
    { find: '@ai-sdk/react', replacement: 'ai-react-v7' },
    { find: /^ai$/, replacement: 'ai-v7' },
  ],
} as const

export interface ServedSample {
  url: string
  close(): Promise<void>
}

interface SamplePage {
  /** By name. `main.tsx` is the script of the page. */
  files: Readonly<Record<string, string>>
  alias: readonly SampleAlias[]
  plugins?: readonly Plugin[]
}

/**
 * Puts a component `Assistant` into a page of its own origin, as an application would.
 *
 * @param client The packages that it imports are those of AI SDK 4, or of the newest, or these.
 */
export function serveSample(code: string, client: 'v4' | 'v5' | readonly SampleAlias[]): Promise<ServedSample> {
  const main = `import { createRoot } from 'react-dom/client'
     import { Assistant } from './assistant.tsx'
     createRoot(document.querySelector('#root')!).render(<Assistant />)`
  const alias = typeof client === 'string' ? packages[client] : client
  return servePage({ files: { 'assistant.tsx': code, 'main.tsx': main }, alias })
}

/** Bundles a page and serves it from an origin of its own. */
export async function servePage(page: SamplePage): Promise<ServedSample> {
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'docent-sample-'))
  const script = await bundleAndRemove(folder, page)
  const server = createServer((request, response) => {
    const isScript = request.url === '/main.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(
      isScript ? script : '<!doctype html><div id="root"></div><script type="module" src="/main.js"></script>',
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  // A server that listens on a port has an address object.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

async function bundleAndRemove(folder: string, page: SamplePage): Promise<string> {
  try {
    for (const [name, text] of Object.entries(page.files)) await writeFile(join(folder, name), text)
    return await bundle(folder, page)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function bundle(folder: string, { alias, plugins = [] }: SamplePage): Promise<string> {
  const result = await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    plugins: [...plugins],
    // Tests run with another NODE_ENV, for which JSX would be compiled as in development.
    oxc: { jsx: { runtime: 'automatic', development: false } },
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { dedupe: ['react', 'react-dom'], alias: [...alias] },
    build: {
      write: false,
      minify: false,
      chunkSizeWarningLimit: 10_000,
      rolldownOptions: { input: join(folder, 'main.tsx'), output: { codeSplitting: false } },
    },
  })
  const [output] = [result].flat()
  const chunk = output !== undefined && 'output' in output ? output.output[0] : undefined
  if (chunk?.type !== 'chunk') throw new Error('The sample made no script.')
  return chunk.code
}
