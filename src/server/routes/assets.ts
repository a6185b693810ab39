import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { AppError } from '../../contract/app-error.ts'
import type { DocentServer } from '../app-env.ts'
import { assetPath, listParts } from '../pages/asset-path.ts'

/** For readers, who check receipts without Docent. */
const verifier = { name: 'docent-verify.mjs', file: new URL('../../git/verify-receipt.mjs', import.meta.url) }
const script = 'text/javascript; charset=utf-8'

/** The typeface of served pages, as the packages ship it. */
const fonts: Readonly<Record<string, string>> = {
  'geist.woff2': '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
  'geist-mono.woff2': '@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2',
}

/** The files and their types. An allowlist, so that no path can lead anywhere else. */
const assetTypes: Readonly<Record<string, string>> = {
  'site.css': 'text/css; charset=utf-8',
  'preview.css': 'text/css; charset=utf-8',
  'compare.css': 'text/css; charset=utf-8',
  'site.js': script,
  [verifier.name]: script,
  ...Object.fromEntries(Object.keys(fonts).map((name) => [name, 'font/woff2'])),
}

export function addAssets(app: DocentServer): void {
  app.get('/assets/:name', async (c) => {
    const name = c.req.param('name')
    const type = Object.hasOwn(assetTypes, name) ? assetTypes[name] : undefined
    if (type === undefined) throw new AppError('not_found', `There is no file ${name.slice(0, 100)}.`)
    const parts = await Promise.all(findAsset(name).map((file) => readFile(file)))
    return c.body(Buffer.concat(parts), 200, {
      'Content-Type': type,
      'Cache-Control': isImmutable(name, c.req.query('v'))
        ? 'public, max-age=31536000, immutable'
        : 'public, max-age=300',
      'X-Content-Type-Options': 'nosniff',
    })
  })
}

/** The files that it consists of, in order. */
function findAsset(name: string): URL[] {
  if (name === verifier.name) return [verifier.file]
  const font = fonts[name]
  return font === undefined ? listParts(name) : [pathToFileURL(createRequire(import.meta.url).resolve(font))]
}

/**
 * Whether browsers may keep a file forever. Pages name the digest of their style and script. Where it is another one,
 * servers of two versions run side by side. A typeface does not change under its name.
 */
function isImmutable(name: string, digest: string | undefined): boolean {
  if (Object.hasOwn(fonts, name)) return true
  if (name !== 'site.css' && name !== 'site.js') return false
  return assetPath(name) === `/assets/${name}?v=${digest}`
}
