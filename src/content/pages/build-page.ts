import { cutText } from '../trees/clean-text.ts'
import type { NavigationPlace } from './navigation-entry.ts'
import { pageVisibility } from './page-visibility.ts'
import type { Frontmatter } from '../markdown/read-frontmatter.ts'
import type { SitePage } from '../site-page.ts'

export interface PageSettings {
  place: NavigationPlace
  frontmatter: Frontmatter
  isInNavigation: boolean
  indexing: 'navigable' | 'all'
  requiresSignIn: boolean
}

export interface PageContent {
  path: string
  file: string
  title: string
  description: string
  markdown: string
  order: number
  apiFile?: string
}

/** Whether a page with these settings is part of the site at all. */
export function isPartOfSite(settings: PageSettings): boolean {
  return Object.values(visibilityOf(settings)).includes(true)
}

function visibilityOf({ place, frontmatter, isInNavigation, indexing }: PageSettings) {
  return pageVisibility({
    isInNavigation,
    hidden: frontmatter.hidden,
    noindex: frontmatter.noindex,
    searchable: frontmatter.searchable,
    isAncestorHidden: place.isHidden,
    ancestorSearchable: place.searchable,
    indexing,
  })
}

/** Assembles a page from its content and its place in the navigation. */
export function buildPage(content: PageContent, settings: PageSettings): SitePage {
  const { place, frontmatter } = settings
  const { isSearchable, isListed } = visibilityOf(settings)
  const groups = frontmatter.groups ?? []
  return {
    ...content,
    title: cutText(content.title, 500),
    description: cutText(content.description, 5000),
    section: [...place.section],
    version: place.version ?? frontmatter.version ?? null,
    language: place.language,
    tag: frontmatter.tag ?? place.tag,
    keywords: frontmatter.keywords ?? [],
    groups,
    isPublic: groups.length === 0 && (frontmatter.public ?? place.isPublic ?? !settings.requiresSignIn),
    isSearchable,
    isListed,
    boost: frontmatter.boost ?? place.boost,
  }
}
