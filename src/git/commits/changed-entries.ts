import { checkObjectId } from '../object-id.ts'
import { runGitStrictly } from '../run-git.ts'

/** The tree entry of a path after a change. */
export interface ChangedEntry {
  path: string
  /** `100644`, `100755`, `120000` for links and `160000` for submodules; null if the path is gone. */
  mode: string | null
  /** Full id of the blob, or of the submodule's commit; null if the path is gone. */
  id: string | null
}

const gone = '000000'

/**
 * The entries in which one tree differs from another. Renames count as a deletion and an addition, so that writing the
 * entries over the first tree yields the second.
 *
 * @param input.from Full id of a commit or tree; null for an empty one.
 */
export async function listChangedEntries(
  { gitDirectory, from, to }: { gitDirectory: string; from: string | null; to: string },
  signal: AbortSignal,
): Promise<ChangedEntry[]> {
  const run = async (args: readonly string[]) =>
    (await runGitStrictly({ gitDirectory, args, signal })).toString('utf8').split('\0')
  if (from === null) return (await run(['ls-tree', '-r', '-z', '--full-tree', checkObjectId(to)])).flatMap(readListed)
  const flags = ['-r', '-z', '--raw', '--no-renames', '--no-abbrev', '--ignore-submodules=none']
  const safe = ['--no-ext-diff', '--no-textconv']
  const fields = await run(['diff-tree', ...flags, ...safe, checkObjectId(from), checkObjectId(to)])
  const entries: ChangedEntry[] = []
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [, mode = gone, , id = ''] = (fields[index] ?? '').split(' ')
    const path = fields[index + 1] ?? ''
    entries.push(mode === gone ? { path, mode: null, id: null } : { path, mode, id })
  }
  return entries
}

/** @param line `<mode> <type> <id>\t<path>` */
function readListed(line: string): ChangedEntry[] {
  const [, mode, id, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.+)$/s.exec(line) ?? []
  return mode === undefined || id === undefined || path === undefined ? [] : [{ path, mode, id }]
}
