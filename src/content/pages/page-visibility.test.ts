import { describe, expect, it } from 'vitest'
import { type PageVisibility, pageVisibility, type VisibilitySettings } from './page-visibility.ts'

const listed: VisibilitySettings = {
  isInNavigation: true,
  hidden: undefined,
  noindex: undefined,
  searchable: undefined,
  isAncestorHidden: false,
  ancestorSearchable: undefined,
  indexing: 'navigable',
}

/** The documented table: rows are settings, columns are sidebar, search, sitemap, assistant, llms.txt. Search and assistant share a field. */
const rows: [
  setting: string,
  settings: Partial<VisibilitySettings>,
  cells: [boolean, boolean, boolean, boolean, boolean],
][] = [
  ['nothing set', {}, [true, true, true, true, true]],
  ['hidden: true', { hidden: true }, [false, false, false, false, false]],
  ['not in docs.json', { isInNavigation: false }, [false, false, false, false, false]],
  ['noindex: true', { noindex: true }, [true, false, false, false, false]],
  ['searchable: false', { searchable: false }, [true, false, true, false, true]],
  [
    'searchable: true on a hidden tab',
    { isAncestorHidden: true, ancestorSearchable: true },
    [false, true, true, true, true],
  ],
  ['seo.indexing: all, hidden page', { indexing: 'all', hidden: true }, [false, true, true, true, true]],
  [
    'seo.indexing: all, page not in docs.json',
    { indexing: 'all', isInNavigation: false },
    [false, true, true, true, true],
  ],
]

const columns: [name: string, read: (visibility: PageVisibility) => boolean][] = [
  ['the sidebar', (visibility) => visibility.isInSidebar],
  ['the site search', (visibility) => visibility.isSearchable],
  ['the sitemap', (visibility) => visibility.isInSitemap],
  ['the assistant', (visibility) => visibility.isSearchable],
  ['llms.txt', (visibility) => visibility.isListed],
]

const cells = rows.flatMap(([setting, settings, expected]) => {
  return columns.map(([column, read], index) => ({ setting, settings, column, read, expected: expected[index] }))
})

describe('pageVisibility', () => {
  it.each(cells)('answers $expected for $column with $setting', ({ settings, read, expected }) => {
    expect(read(pageVisibility({ ...listed, ...settings }))).toBe(expected)
  })

  it('lets a hidden page win over a searchable tab', () => {
    const visibility = pageVisibility({ ...listed, hidden: true, isAncestorHidden: true, ancestorSearchable: true })

    expect(visibility).toEqual({ isInSidebar: false, isSearchable: false, isInSitemap: false, isListed: false })
  })

  it('leaves the pages of a hidden tab out', () => {
    const visibility = pageVisibility({ ...listed, isAncestorHidden: true })

    expect(visibility).toEqual({ isInSidebar: false, isSearchable: false, isInSitemap: false, isListed: false })
  })

  it('shows a page of a hidden tab that has hidden: false, but not in the sidebar', () => {
    const visibility = pageVisibility({ ...listed, hidden: false, isAncestorHidden: true })

    expect(visibility).toEqual({ isInSidebar: false, isSearchable: true, isInSitemap: true, isListed: true })
  })

  it('lets noindex win over seo.indexing', () => {
    expect(pageVisibility({ ...listed, noindex: true, indexing: 'all' }).isSearchable).toBe(false)
  })

  it('keeps searchable: true of a page from overriding its tab', () => {
    expect(pageVisibility({ ...listed, searchable: true, ancestorSearchable: false }).isSearchable).toBe(false)
  })
})
