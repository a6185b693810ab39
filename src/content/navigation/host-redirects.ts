import type { NavigationSite } from './site-navigation.ts'

/** What people have to do about redirects of a format that has none of its own. */
export function hostRedirects({ reading }: NavigationSite, label: string): string {
  const files = [...reading.paths].filter((path) =>
    /^(?:[^/]+\/){0,3}(?:_redirects|vercel\.json|netlify\.toml)$/.test(path),
  )
  const where = files.length > 0 ? `in ${files.slice(0, 3).join(' or ')}` : 'at the host of the site'
  return `${label} has no redirects of its own. A person has to add the redirect ${where}.`
}
