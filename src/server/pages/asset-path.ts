import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const assetFolder = new URL('../../../web/site/', import.meta.url)

/** The colors of the dashboard, which the style of served pages begins with. */
const colors = new URL('../../../web/ui/colors.css', import.meta.url)

/** The files that one of `web/site` is sent as. */
export function listParts(name: string): URL[] {
  const own = new URL(name, assetFolder)
  return name === 'site.css' ? [colors, own] : [own]
}

const paths = new Map<string, string>()

/** The URL of a file of `web/site`, which names its content, so that browsers may cache it forever. */
export function assetPath(name: 'site.css' | 'site.js'): string {
  const known = paths.get(name)
  if (known !== undefined) return known
  const hash = createHash('sha256')
  for (const part of listParts(name)) hash.update(readFileSync(part))
  const digest = hash.digest('base64url')
  const path = `/assets/${name}?v=${digest.slice(0, 16)}`
  paths.set(name, path)
  return path
}
