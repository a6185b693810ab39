import type { FileTree } from '../../content/trees/file-tree.ts'

/** Bounds the memory for files read ahead. */
const bytesMax = 64 * 1024 * 1024

const readsAtOnce = 32

/**
 * Wraps a tree to read page files ahead, many at once: read one by one, waiting for the disk takes longer than the rest
 * of a run in which most pages are cached.
 *
 * @param isNeeded Whether a file will be read at all.
 * @returns The same tree; preloaded files stay in memory as long as it does.
 */
export async function preloadPages(tree: FileTree, isNeeded: (path: string) => boolean): Promise<FileTree> {
  const held = new Map<string, Uint8Array>()
  let bytes = 0
  const next = tree.paths.filter((path) => /\.mdx?$/i.test(path) && isNeeded(path)).values()
  const work = async () => {
    for (const path of next) {
      if (bytes > bytesMax) return
      // The later read reports why the file is unreadable.
      const content = await tree.read(path).catch(() => null)
      if (content === null) continue
      bytes += content.byteLength
      held.set(path, content)
    }
  }
  await Promise.all(Array.from({ length: readsAtOnce }, work))
  return {
    ...tree,
    read: (path) => {
      const content = held.get(path)
      return content === undefined ? tree.read(path) : Promise.resolve(content)
    },
  }
}
