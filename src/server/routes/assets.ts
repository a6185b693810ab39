import { readFile } from 'node:fs/promises'
import { AppError } from '../../contract/app-error.ts'
import type { DocentServer } from '../app-env.ts'
import { assetFolder, assetPath } from '../pages/asset-path.ts'

/** For readers, who check receipts without Docent. */
const verifier = { name: 'docent-verify.mjs', file: new URL('../../git/verify-receipt.mjs', import.meta.url) }
const script = 'text/javascript; charset=utf-8'

/** The files and their types. An allowlist, so that no path can lead anywhere else. */
const assetTypes: Readonly<Record<string, string>> = {
  'site.css': 'text/css; charset=utf-8',
  'preview.css': 'text/css; charset=utf-8',
  'compare.css': 'text/css; charset=utf-8',
  'site.js': script,
  [verifier.name]: script,
}

export function addAssets(app: DocentServer): void {
  app.get('/assets/:name', async (c) => {
    const name = c.req.param('name')
    const type = Object.hasOwn(assetTypes, name) ? assetTypes[name] : undefined
    if (type === undefined) throw new AppError('not_found', `There is no file ${name.slice(0, 100)}.`)
    return c.body(await readFile(name === verifier.name ? verifier.file : new URL(name, assetFolder)), 200, {
      'Content-Type': type,
      // Pages name the digest of the file. Where it is another one, servers of two versions run side by side.
      'Cache-Control': isNamed(name, c.req.query('v')) ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
      'X-Content-Type-Options': 'nosniff',
    })
  })
}

function isNamed(name: string, digest: string | undefined): boolean {
  if (name !== 'site.css' && name !== 'site.js') return false
  return assetPath(name) === `/assets/${name}?v=${digest}`
}
