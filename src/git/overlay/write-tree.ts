import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OverlayFile } from './overlay.ts'
import { checkRepositoryPath } from '../repository-path.ts'
import { runGitStrictly } from '../run-git.ts'

export interface WriteTreeInput {
  gitDirectory: string
  /** Full id of the commit or tree that the files are laid over; null to begin with nothing. */
  base: string | null
  /** Path from the root of the tree → what it holds then, null to delete it. Every entry must differ from the base. */
  files: ReadonlyMap<string, OverlayFile | null>
  /** An existing folder, absolute, outside of every repository; a folder of its own is made in it and removed. */
  scratchFolder: string
}

/**
 * Writes files over a tree into the repository's objects and moves no branch.
 *
 * The paths are checked first, and what came out is compared with what was planned, because git skips a bad path with
 * nothing but a line on its standard error.
 *
 * @returns The id of the tree.
 * @throws {AppError} `invalid_request` for a path that cannot be written.
 * @throws {Error} When the tree differs from the base in other paths than `files`; nothing refers to it then.
 */
export async function writeTree(input: WriteTreeInput, signal: AbortSignal): Promise<string> {
  const { gitDirectory, files } = input
  for (const path of files.keys()) {
    if (checkRepositoryPath(path) !== path) throw new Error(`The path ${path} is not written plainly.`)
  }
  const scratch = await mkdtemp(join(input.scratchFolder, 'tree-'))
  try {
    const ids = await hashFiles({ gitDirectory, files, scratch }, signal)
    const indexFile = join(scratch, 'index')
    const run = (args: readonly string[], text = '') =>
      runGitStrictly({ gitDirectory, args, indexFile, signal }, { input: text })
    // An index that is not there is an empty one.
    if (input.base !== null) await run(['read-tree', input.base])
    await run(['update-index', '-z', '--index-info'], writeIndexInfo(files, ids))
    const tree = (await run(['write-tree'])).toString('utf8').trim()
    await compareWithPlan({ gitDirectory, base: input.base, tree, files }, signal)
    return tree
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** One process for all files: it is given the paths of copies whose names are numbers, never a path of the tree. */
async function hashFiles(
  { gitDirectory, files, scratch }: Pick<WriteTreeInput, 'gitDirectory' | 'files'> & { scratch: string },
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  const copies: { path: string; copy: string }[] = []
  for (const [path, file] of files) {
    if (file === null) continue
    if ('blob' in file) {
      ids.set(path, file.blob)
      continue
    }
    const copy = join(scratch, String(copies.length))
    await writeFile(copy, file.bytes, { mode: 0o600 })
    copies.push({ path, copy })
  }
  if (copies.length === 0) return ids
  const args = ['hash-object', '-w', '--no-filters', '--stdin-paths']
  const list = copies.map(({ copy }) => `${copy}\n`).join('')
  const output = await runGitStrictly({ gitDirectory, args, signal }, { input: list })
  const written = output.toString('utf8').trimEnd().split('\n')
  if (written.length !== copies.length) throw new Error('git hash-object has not answered for every file.')
  for (const [index, { path }] of copies.entries()) ids.set(path, written[index] ?? '')
  return ids
}

/** Deletions first, so that a file may take the place of a folder. */
function writeIndexInfo(files: WriteTreeInput['files'], ids: ReadonlyMap<string, string>): string {
  const length = [...ids.values()][0]?.length ?? 40
  const deletions = [...files].flatMap(([path, file]) => (file === null ? [`0 ${'0'.repeat(length)}\t${path}\0`] : []))
  const writings = [...files].flatMap(([path, file]) =>
    file === null ? [] : [`${file.isExecutable ? '100755' : '100644'} ${ids.get(path)}\t${path}\0`],
  )
  return [...deletions, ...writings].join('')
}

async function compareWithPlan(
  { gitDirectory, base, tree, files }: Pick<WriteTreeInput, 'gitDirectory' | 'base' | 'files'> & { tree: string },
  signal: AbortSignal,
): Promise<void> {
  const args =
    base === null
      ? ['ls-tree', '-r', '-z', '--full-tree', '--name-only', tree]
      : ['diff-tree', '-r', '-z', '--no-renames', '--name-only', '--no-ext-diff', '--no-textconv', base, tree]
  const output = await runGitStrictly({ gitDirectory, args, signal })
  const changed = output.toString('utf8').split('\0').filter(Boolean).sort()
  const planned = [...files.keys()].sort()
  const isAsPlanned = changed.length === planned.length && changed.every((path, index) => path === planned[index])
  if (isAsPlanned) return
  const lost = planned.find((path) => !changed.includes(path))
  const extra = changed.find((path) => !files.has(path))
  throw new Error(
    `The tree ${tree} is not what was planned: ${lost ?? extra} ${lost === undefined ? 'changed too' : 'did not change'}.`,
  )
}
