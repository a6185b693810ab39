import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** Changes with the shape of what is kept (`ParsedPages`): what another shape was written in cannot be read. */
const keptFormat = 2

/** Packages whose version decides what comes out of a page. */
const parserPackages = ['mdast-util-from-markdown', 'mdast-util-mdx', 'micromark-extension-mdxjs']

/**
 * Names the code that parses pages: results that another version made are not used. Read from the files themselves,
 * because a number that people raise by hand is forgotten once.
 */
export function nameContentCode(): string {
  const hash = createHash('sha256').update(`${process.version} ${keptFormat}`)
  const folder = new URL('../../content/', import.meta.url)
  for (const name of readdirSync(folder, { encoding: 'utf8', recursive: true }).sort()) {
    if (/(?<!\.test)\.[jt]s$/.test(name)) hash.update(name).update(readFileSync(new URL(name, folder)))
  }
  const { resolve } = createRequire(import.meta.url)
  for (const name of parserPackages) hash.update(resolve(name)).update(readManifest(resolve(name)))
  return hash.digest('base64url')
}

/** The nearest `package.json` above a module. */
function readManifest(module: string): string {
  for (let folder = new URL('./', `file://${module}`); folder.pathname !== '/'; folder = new URL('../', folder)) {
    try {
      return readFileSync(new URL('package.json', folder), 'utf8')
    } catch {
      // It lies further up.
    }
  }
  return ''
}
