/** The longest path that is a prefix of all pages; `/` if they share none. */
export function findSharedPath(paths: readonly string[]): string {
  const [first = '', ...others] = paths
  let shared = first.split('/')
  for (const path of others) {
    const segments = path.split('/')
    const end = shared.findIndex((segment, index) => segments[index] !== segment)
    if (end !== -1) shared = shared.slice(0, end)
  }
  // A single page is not a folder.
  return others.length === 0 ? '/' : shared.join('/') || '/'
}
