import type { Role } from '../../../src/contract/accounts.ts'

/** A part of a page with an address of its own, by the search parameter `view`. */
export interface PageSection {
  view: string
  title: string
  /** Other words that people use for it. */
  words: string
  /** The page's first section is shown without the parameter. */
  isFirst: boolean
  role: Role
}

/** @param words By section. */
export function listSections<View extends string>(
  views: readonly View[],
  words: { readonly [Each in View]?: string },
  role: Role = 'viewer',
): PageSection[] {
  return views.map((view, index) => {
    const title = `${view.charAt(0).toUpperCase()}${view.slice(1).replaceAll('-', ' ')}`
    return { view, title, words: words[view] ?? '', isFirst: index === 0, role }
  })
}
