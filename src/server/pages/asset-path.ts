import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export const assetFolder = new URL('../../../web/site/', import.meta.url)

const paths = new Map<string, string>()

/** The URL of a file of `web/site`, which names its content, so that browsers may keep it for ever. */
export function assetPath(name: 'site.css' | 'site.js'): string {
  const known = paths.get(name)
  if (known !== undefined) return known
  const digest = createHash('sha256')
    .update(readFileSync(new URL(name, assetFolder)))
    .digest('base64url')
  const path = `/assets/${name}?v=${digest.slice(0, 16)}`
  paths.set(name, path)
  return path
}
