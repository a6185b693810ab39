import { posix } from 'node:path'
import type { Reader } from '../../search/search-query.ts'
import type { LiveSite } from '../live-sites.ts'

const anybody: Reader = { readerGroups: [], isSignedIn: false }
/** Pages of the same name, such as indexes of folders, that are looked at. */
const namesakesMax = 50

/**
 * The paths at which a site shows files of its source, of those that anybody may read.
 *
 * @param files Relative to the site's folder.
 * @param subdirectory The site's folder in its source.
 */
export async function findPagePaths(
  { index }: Pick<LiveSite, 'index'>,
  { files, subdirectory }: { files: readonly string[]; subdirectory: string },
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const byName = Map.groupBy(await index.listPages(anybody, signal), ({ path }) => posix.basename(path))
  const found = new Map<string, string>()
  for (const file of new Set(files)) {
    const wanted = posix.join('/', subdirectory, file)
    const { name, dir } = posix.parse(wanted)
    const namesakes = [
      ...(byName.get(name) ?? []),
      ...(byName.get(posix.basename(dir)) ?? []),
      ...(byName.get('') ?? []),
    ]
    for (const { path } of namesakes.slice(0, namesakesMax)) {
      const origins = await index.readOrigins(path, anybody, signal)
      if (origins?.file === undefined || posix.join('/', origins.file) !== wanted) continue
      found.set(file, path)
      break
    }
  }
  return found
}
