import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** Raise when the shape of the cache (`ParsedPages`) changes: entries of another shape cannot be read. */
const keptFormat = 4

/** Packages whose version affects the parsed result of a page. */
const parserPackages = ['mdast-util-from-markdown', 'mdast-util-mdx', 'micromark-extension-mdxjs']

/**
 * Identifies the code that parses pages, so that results of other versions are not reused. Derived from the files
 * themselves, because a version number that people raise by hand will be forgotten.
 */
export function nameContentCode(): string {
  const hash = createHash('sha256').update(`${process.version} ${keptFormat}`)
  const program = new URL('./index-site-worker.ts', import.meta.url)
  // A bundle names its files by a digest of their content and imports, so this one identifies all of them.
  if (program.pathname.endsWith('.js')) return hash.update(readFileSync(program)).digest('base64url')
  for (const folder of [new URL('../../base/', import.meta.url), new URL('../../content/', import.meta.url)]) {
    for (const name of readdirSync(folder, { encoding: 'utf8', recursive: true }).sort()) {
      if (/(?<!\.test)\.[jt]s$/.test(name)) hash.update(name).update(readFileSync(new URL(name, folder)))
    }
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
      // Look further up.
    }
  }
  return ''
}
