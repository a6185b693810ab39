/** The path that all pages lie at or below; `/` where they share none. */
export function findSharedPath(paths: readonly string[]): string {
  const [first = '', ...others] = paths
  let shared = first.split('/')
  for (const path of others) {
    const segments = path.split('/')
    const end = shared.findIndex((segment, index) => segments[index] !== segment)
    if (end !== -1) shared = shared.slice(0, end)
  }
  // A lone page is no folder.
  return others.length === 0 ? '/' : shared.join('/') || '/'
}
