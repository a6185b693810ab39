import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'vite'

export const pageNames = ['page-v4', 'page-v7'] as const
export type PageName = (typeof pageNames)[number]

export interface PageServer {
  /** @param key The assistant key that the page sends; any without it. */
  url(page: PageName, apiUrl: string, key?: string): string
  close(): Promise<void>
}

/** Bundles the pages as applications do and serves them from an origin of their own. */
export async function servePages(): Promise<PageServer> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-pages-'))
  await buildPages(folder)
  const server = createServer((request, response) => {
    const [, name, extension] = /^\/([\w-]+)(\.js)?/.exec(request.url ?? '') ?? []
    if (extension) {
      response.setHeader('content-type', 'text/javascript')
      void readFile(join(folder, `${name}.js`)).then((script) => response.end(script))
    } else {
      response.setHeader('content-type', 'text/html')
      response.end(`<!doctype html><div id="root"></div><script type="module" src="/${name}.js"></script>`)
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  // A server that listens on a port has an address object.
  const { port } = server.address() as AddressInfo
  return {
    url: (page, apiUrl, key) =>
      `http://127.0.0.1:${port}/${page}?${new URLSearchParams({ api: apiUrl, ...(key && { key }) })}`,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function buildPages(folder: string): Promise<void> {
  await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { dedupe: ['react', 'react-dom'] },
    build: {
      outDir: folder,
      minify: false,
      chunkSizeWarningLimit: 10_000,
      rolldownOptions: {
        input: Object.fromEntries(pageNames.map((name) => [name, resolve(import.meta.dirname, `${name}.ts`)])),
        output: { entryFileNames: '[name].js', chunkFileNames: 'shared-[hash].js' },
      },
    },
  })
}
