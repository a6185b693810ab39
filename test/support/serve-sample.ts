import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { build } from 'vite'

const root = resolve(import.meta.dirname, '../..')

/** Below `node_modules`, so that the sample finds the packages of the checkout, and no tool looks at it. */
const cache = join(root, 'node_modules/.cache')

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

/**
 * Puts a component `Assistant` into a page of its own origin, as an application would.
 *
 * @param version The packages that it imports are those of AI SDK 4, or of the newest.
 */
export async function serveSample(
  code: string,
  version: 'v4' | 'v5',
): Promise<{ url: string; close(): Promise<void> }> {
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'docent-sample-'))
  const script = await bundleAndRemove(folder, code, version)
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

async function bundleAndRemove(folder: string, code: string, version: 'v4' | 'v5'): Promise<string> {
  try {
    return await bundle(folder, code, version)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function bundle(folder: string, code: string, version: 'v4' | 'v5'): Promise<string> {
  await writeFile(join(folder, 'assistant.tsx'), code)
  await writeFile(
    join(folder, 'main.tsx'),
    `import { createRoot } from 'react-dom/client'
     import { Assistant } from './assistant.tsx'
     createRoot(document.querySelector('#root')!).render(<Assistant />)`,
  )
  const result = await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    // Tests run with another NODE_ENV, for which JSX would be compiled as in development.
    oxc: { jsx: { runtime: 'automatic', development: false } },
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { dedupe: ['react', 'react-dom'], alias: [...packages[version]] },
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
