import { checkObjectId } from '../object-id.ts'
import { runGitStrictly } from '../run-git.ts'

/** The file that a path is to have; null for none. */
export type TreeChange = { mode: string; id: string } | null

interface Replacement {
  gitDirectory: string
  /** Full id. */
  tree: string
  /** By path of a tree that git made. */
  entries: ReadonlyMap<string, TreeChange>
}

/** Writes a tree with other files at some paths. Needs no index. @returns Its full id; the same one for no entries. */
export async function replaceEntries(input: Replacement, signal: AbortSignal): Promise<string> {
  const { gitDirectory, tree, entries } = input
  if (entries.size === 0) return tree
  // Names in trees are bytes, which need not be UTF-8, so they are kept one character each.
  const byName = new Map([...entries].map(([path, change]) => [Buffer.from(path).toString('latin1'), change]))
  return (await replaceBelow({ ...input, entries: byName }, signal)) ?? writeTree(gitDirectory, [], signal)
}

/** @returns Null for a folder that is empty then, which git does not keep. */
async function replaceBelow({ gitDirectory, tree, entries }: Replacement, signal: AbortSignal): Promise<string | null> {
  const lines = await listTree(gitDirectory, tree, signal)
  const folders = new Map<string, Map<string, TreeChange>>()
  for (const [path, change] of entries) {
    const slash = path.indexOf('/')
    if (slash === -1)
      setEntry(lines, path, change && `${change.mode} ${change.mode === '160000' ? 'commit' : 'blob'} ${change.id}`)
    else {
      const folder = path.slice(0, slash)
      folders.set(folder, (folders.get(folder) ?? new Map<string, TreeChange>()).set(path.slice(slash + 1), change))
    }
  }
  for (const [folder, below] of folders) {
    const known = /^040000 tree ([0-9a-f]+)$/.exec(lines.get(folder) ?? '')?.[1]
    const inner = known ?? (await writeTree(gitDirectory, [], signal))
    const replaced = await replaceBelow({ gitDirectory, tree: inner, entries: below }, signal)
    setEntry(lines, folder, replaced && `040000 tree ${replaced}`)
  }
  if (lines.size === 0) return null
  return writeTree(
    gitDirectory,
    [...lines].map(([name, entry]) => `${entry}\t${name}\0`),
    signal,
  )
}

function setEntry(lines: Map<string, string>, name: string, entry: string | null): void {
  if (entry === null) lines.delete(name)
  else lines.set(name, entry)
}

/** By name: `<mode> <type> <id>`. */
async function listTree(gitDirectory: string, tree: string, signal: AbortSignal): Promise<Map<string, string>> {
  const args = ['ls-tree', '-z', '--full-tree', checkObjectId(tree)]
  const output = (await runGitStrictly({ gitDirectory, args, signal })).toString('latin1')
  return new Map(
    output
      .split('\0')
      .filter(Boolean)
      .map((line) => [line.slice(line.indexOf('\t') + 1), line.slice(0, line.indexOf('\t'))]),
  )
}

async function writeTree(gitDirectory: string, lines: readonly string[], signal: AbortSignal): Promise<string> {
  const input = Buffer.from(lines.join(''), 'latin1')
  const output = await runGitStrictly({ gitDirectory, args: ['mktree', '-z'], signal }, { input })
  return output.toString('utf8').trim()
}
