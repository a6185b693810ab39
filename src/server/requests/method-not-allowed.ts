import { AppError } from '../../contract/app-error.ts'

interface RegisteredRoute {
  method: string
  path: string
}

/**
 * Distinguishes unknown paths from paths that exist for other methods.
 *
 * @param routes All registered routes; `ALL` entries are middleware, not resources.
 * @returns The error to throw: `not_found`, or `method_not_allowed` with `Allow`.
 */
export function createMissingRoute(routes: readonly RegisteredRoute[]): (path: string) => AppError {
  const patterns = routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => ({ method, pattern: toPattern(path) }))
  return (path) => {
    const methods = new Set(patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))
    if (methods.size === 0) {
      return new AppError(
        'not_found',
        `There is nothing at ${path.slice(0, 200)}. The API is described at /openapi.json.`,
      )
    }
    if (methods.has('GET')) methods.add('HEAD')
    if (path.startsWith('/discovery/')) methods.add('OPTIONS')
    const allow = [...methods].toSorted().join(', ')
    return new AppError('method_not_allowed', `This path accepts ${allow} only.`, { headers: { Allow: allow } })
  }
}

function toPattern(path: string): RegExp {
  const source = path
    .split('/')
    .map((segment) =>
      segment.replace(/:[^/{}]+(?:\{(.*)\})?|\*|[.\\+?^${}()|[\]]/g, (match, pattern: string | undefined) => {
        if (match.startsWith(':')) return pattern === undefined ? '[^/]+' : `(?:${pattern})`
        return match === '*' ? '.*' : `\\${match}`
      }),
    )
    .join('/')
  return new RegExp(`^${source}$`)
}
