import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

export const root: string = resolve(import.meta.dirname, '..')

/** On a slow machine, each first start would print how long the plugins took among its log. */
export const quietChecks = { bundlerTimings: false }

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

const recordName = 'build.json'

interface BuildRecord {
  /** What tells its sources from others. */
  sources: string
  /** Relative to the folder of the build. */
  files: string[]
}

/**
 * Makes a build unless what the folder has is made of these very sources.
 *
 * Its files are moved into place one by one, those at the top last, because they name the others: whoever looks meanwhile
 * finds a whole build, and whoever has loaded the one before still finds the rest of its parts.
 */
export async function ensureBuild(
  folder: string,
  sources: string,
  make: (folder: string) => Promise<void>,
): Promise<void> {
  const before = readRecord(folder)
  if (before?.sources === sources) return
  await mkdir(folder, { recursive: true })
  const made = await mkdtemp(join(folder, '.build-'))
  try {
    await make(made)
    const files = await listFiles(made)
    await writeFile(join(made, recordName), JSON.stringify({ sources, files } satisfies BuildRecord))
    for (const file of [...files, recordName]) await moveFile(join(made, file), join(folder, file))
    await removeOthers(folder, new Set([...files, ...(before?.files ?? []), recordName]))
  } finally {
    await rm(made, { recursive: true, force: true })
  }
}

/** The deepest first. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => entry.isFile())
  const paths = files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
  return paths.sort((one, other) => other.split('/').length - one.split('/').length)
}

async function moveFile(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  await rename(from, to)
}

async function removeOthers(folder: string, kept: ReadonlySet<string>): Promise<void> {
  for (const file of await listFiles(folder)) {
    if (!kept.has(file) && !file.startsWith('.build-')) await rm(join(folder, file), { force: true })
  }
}

function readRecord(folder: string): BuildRecord | null {
  const file = join(folder, recordName)
  // Written by this very file.
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as BuildRecord) : null
}
