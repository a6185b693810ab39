import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

export const root: string = resolve(import.meta.dirname, '..')

/** A digest of the files that a build is made of, tests excluded. */
export function digestSources(patterns: readonly string[]): string {
  const digest = createHash('sha256')
  const files = globSync(patterns, { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile())
  for (const path of files.map((file) => join(file.parentPath, file.name)).sort()) {
    if (path.includes('.test.')) continue
    digest.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0')
  }
  return digest.digest('hex')
}

/** Writes the copies that clients are sent. Once at the build, so that serving costs no more than reading a file. */
export async function compressFile(file: string): Promise<void> {
  const bytes = await readFile(file)
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes))
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
}
