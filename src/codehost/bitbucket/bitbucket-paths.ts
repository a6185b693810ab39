/** Path of a repository's web page relative to the origin. @param path `KEY/slug`, or `~user/slug`. */
export function pagePath(path: string): string {
  const [owner = '', slug = ''] = path.split('/')
  return owner.startsWith('~') ? `users/${owner.slice(1)}/repos/${slug}` : `projects/${owner}/repos/${slug}`
}

/** API path of a project's or user's repository. @param path `KEY/slug`, or `~user/slug`. */
export function repositoryEndpoint(path: string): string {
  const [owner = '', slug = ''] = path.split('/').map(encodeURIComponent)
  return `/projects/${owner}/repos/${slug}`
}
