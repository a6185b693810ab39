/** Where people find a repository below the origin. @param path `KEY/slug`, or `~user/slug`. */
export function pagePath(path: string): string {
  const [owner = '', slug = ''] = path.split('/')
  return owner.startsWith('~') ? `users/${owner.slice(1)}/repos/${slug}` : `projects/${owner}/repos/${slug}`
}

/** Where the interface of a repository begins, whoever owns it. @param path `KEY/slug`, or `~user/slug`. */
export function rootOf(path: string): string {
  const [owner = '', slug = ''] = path.split('/').map(encodeURIComponent)
  return `/projects/${owner}/repos/${slug}`
}
