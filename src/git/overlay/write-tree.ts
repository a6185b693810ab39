import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OverlayFile } from './overlay.ts'
import { checkRepositoryPath } from '../repository-path.ts'
import { runGitStrictly } from '../run-git.ts'

export interface WriteTreeInput {
  gitDirectory: string
  /** Full id of the commit or tree to build on; null for an empty one. */
  base: string | null
  /** Path from the root of the tree → its new content, or null to delete it. Every entry must differ from the base. */
  files: ReadonlyMap<string, OverlayFile | null>
  /** An existing folder, absolute and outside any repository; a temporary folder is created in it and removed. */
  scratchFolder: string
}

/**
 * Writes files on top of a tree into the repository's objects and moves no branch.
 *
 * Paths are validated first and the result is compared with the plan, because git skips an invalid path with only a
 * line on stderr.
 *
 * @returns The id of the tree.
 * @throws {AppError} `invalid_request` for a path that cannot be written.
 * @throws {Error} if the tree differs from the base in paths other than `files`; it is then unreferenced.
 */
export async function writeTree(input: WriteTreeInput, signal: AbortSignal): Promise<string> {
  const { gitDirectory, files } = input
  for (const path of files.keys()) {
    if (checkRepositoryPath(path) !== path) throw new Error(`The path ${path} is not normalized.`)
  }
  const scratch = await mkdtemp(join(input.scratchFolder, 'tree-'))
  try {
    const ids = await hashFiles({ gitDirectory, files, scratch }, signal)
    const indexFile = join(scratch, 'index')
    const run = (args: readonly string[], text = '') =>
      runGitStrictly({ gitDirectory, args, indexFile, signal }, { input: text })
    // A missing index counts as empty.
    if (input.base !== null) await run(['read-tree', input.base])
    await run(['update-index', '-z', '--index-info'], writeIndexInfo(files, ids))
    const tree = (await run(['write-tree'])).toString('utf8').trim()
    await compareWithPlan({ gitDirectory, base: input.base, tree, files }, signal)
    return tree
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** One process for all files. It gets paths of copies named by number, never a path of the tree. */
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
  if (written.length !== copies.length) throw new Error('git hash-object did not return an id for every file.')
  for (const [index, { path }] of copies.entries()) ids.set(path, written[index] ?? '')
  return ids
}

/** Deletions first, so that a file can replace a folder. */
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
