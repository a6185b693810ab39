import type { AnyRouter } from '@tanstack/react-router'
import { FileText, type LucideIcon } from 'lucide-react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import type { Role } from '../../../../src/contract/accounts.ts'
import type { PageSection } from '../page-sections.ts'
import { organizationPlaces, sitePlaces, siteWord } from '../places.ts'
import { type Command, labelSeparator } from './command.ts'
import { say } from '../../../words/say.ts'

/** Whose commands are listed, and how they lead to pages. */
export interface CommandContext {
  organizationId: string
  sites: readonly SiteResource[]
  may(role: Role): boolean
  go(target: PageTarget): Promise<void>
}

export interface PageTarget {
  /** Path of a route. */
  to: string
  params: { organization: string; domain?: string }
  search: Record<string, string>
}

export interface PageRoute {
  to: string
  title: string | null
  words: string
  sections: readonly PageSection[]
}

/** Pages of the organization and of sites: routes with no other parameter, whose title says what they show. */
export function listPageRoutes(router: AnyRouter): PageRoute[] {
  return Object.values(router.routesById).flatMap(({ fullPath, options }) => {
    const to = fullPath.replace(/(?<=.)\/$/, '')
    const { title = null, words = '', sections = [] } = options.staticData ?? {}
    const isPage = title !== null || to === siteRoot
    return isPage && /^\/\$organization(?:\/\$domain)?(?:\/[a-z-]+)*$/.test(to) ? [{ to, title, words, sections }] : []
  })
}

const siteRoot = '/$organization/$domain'

/** A command for each page of the organization, of each site, and for each section that the role may see. */
export function listPageCommands(routes: readonly PageRoute[], context: CommandContext): Command[] {
  return routes.flatMap((route) => {
    if (!route.to.startsWith(siteRoot)) return listCommands(route, context, null)
    return context.sites.flatMap((site) => listCommands(route, context, site))
  })
}

function listCommands(route: PageRoute, context: CommandContext, site: SiteResource | null): Command[] {
  const names = [...(site === null ? [] : [site.name]), ...(route.title === null ? [] : [route.title])]
  const page = { names, words: route.words, search: {} }
  const sections = route.sections
    .filter(({ role }) => context.may(role))
    .map(({ title, words, view, isFirst }) => ({
      names: [...names, title],
      words,
      search: isFirst ? {} : { view },
    }))
  return [page, ...sections].map(({ names, words, search }) => ({
    id: ['page', route.to, site?.id, ...names.slice(site === null ? 1 : 2)].join(' '),
    label: names.join(labelSeparator),
    detail: describePage(route, site),
    words,
    ...(site !== null && { slug: site.slug }),
    icon: findIcon(route.to),
    siteId: site?.id ?? null,
    run: () => context.go({ to: route.to, params: paramsOf(context, site), search }),
  }))
}

function describePage({ title }: PageRoute, site: SiteResource | null): string {
  if (site === null) return say('Page')
  return title === null ? say('Site {slug}', { slug: site.slug }) : say('Page of the site')
}

export function paramsOf({ organizationId }: CommandContext, site: SiteResource | null): PageTarget['params'] {
  return { organization: organizationId, ...(site !== null && { domain: siteWord(site) }) }
}

function findIcon(to: string): LucideIcon {
  return [...organizationPlaces, ...sitePlaces].find((place) => place.to === to)?.icon ?? FileText
}
