import { readFile } from 'node:fs/promises'
import { AppError } from '../../contract/app-error.ts'
import type { DocentServer } from '../create-server.ts'

/** Files that our own pages load. A fixed list, so that no path leads anywhere else. */
const assets: Readonly<Record<string, { file: URL; type: string }>> = {
  'site.css': { file: new URL('../../../web/site/site.css', import.meta.url), type: 'text/css; charset=utf-8' },
}

export function addAssets(app: DocentServer): void {
  app.get('/assets/:name', async (c) => {
    const name = c.req.param('name')
    const asset = Object.hasOwn(assets, name) ? assets[name] : undefined
    if (asset === undefined) throw new AppError('not_found', `There is no file ${name.slice(0, 100)}.`)
    return c.body(await readFile(asset.file), 200, {
      'Content-Type': asset.type,
      'Cache-Control': 'public, max-age=300',
    })
  })
}
