import type { FileTree } from '../trees/file-tree.ts'

const keptBytesMax = 64 * 1024 * 1024
const keptFileBytesMax = 1024 * 1024

/** Caches the small files of a tree, so that reading the site again needs no I/O. */
export function keepTree(tree: FileTree): FileTree {
  const kept = new Map<string, Uint8Array>()
  let size = 0
  return {
    revision: tree.revision,
    paths: tree.paths,
    read: async (path) => {
      const known = kept.get(path)
      if (known !== undefined) return known
      const bytes = await tree.read(path)
      if (bytes.length <= keptFileBytesMax && size + bytes.length <= keptBytesMax && !kept.has(path)) {
        kept.set(path, bytes)
        size += bytes.length
      }
      return bytes
    },
  }
}

/** Reads unchanged files from `before` instead of `after`. */
export function layTree(after: FileTree, before: FileTree, changed: ReadonlySet<string>): FileTree {
  const known = new Set(before.paths)
  return {
    revision: after.revision,
    paths: after.paths,
    read: (path) => (changed.has(path) || !known.has(path) ? after.read(path) : before.read(path)),
  }
}
