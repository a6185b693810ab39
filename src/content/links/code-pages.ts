import { joinRoute } from '../routes/routed-page.ts'
import { filesBelow } from '../routes/site-roots.ts'

/** Pages of Docusaurus, Astro and Next.js that are code, below the site's folder. */
const ofPages = /^(?:src\/)?pages\/(.+)\.(?:[jt]sx?|astro|html|svelte|vue)$/
const ofApp = /^(?:src\/)?app\/(?:(.+)\/)?(?:page|route)\.[jt]sx?$/

/**
 * Lists the addresses of pages that are code and therefore not read, as patterns: `app/blog/[slug]/page.tsx` →
 * `/blog/:slug`.
 *
 * @param base The path of the site, below which `pages` is served. An `app` folder contains the site instead.
 */
export function listCodePages(paths: Iterable<string>, folder: string, base: string): string[] {
  return [...filesBelow(paths, folder).keys()].flatMap((name) => {
    const ofBase = ofPages.exec(name)?.[1]
    if (ofBase !== undefined) return [joinRoute(base, patternOf(ofBase))]
    const [match, route = ''] = ofApp.exec(name) ?? []
    return match === undefined ? [] : [patternOf(route)]
  })
}

function patternOf(route: string): string {
  const segments = route.split('/').filter((segment) => !/^\(.*\)$|^@/.test(segment))
  if (segments.at(-1) === 'index') segments.pop()
  return joinRoute(
    ...segments.map((segment) =>
      segment.includes('[...') ? '*' : segment.replace(/^\[([^\]]*)\].*$/, (_, name: string) => `:${name}`),
    ),
  )
}
