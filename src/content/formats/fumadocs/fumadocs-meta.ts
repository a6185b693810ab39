import { ConfigFields } from '../../site-config/config-fields.ts'
import { type FindingList, reportMissingPage } from '../../finding-list.ts'
import type { PageFolder } from '../../routes/page-folders.ts'
import { capitalize } from '../../trees/source-path.ts'

export interface PlacedFumadocsPage<Page> {
  page: Page
  section: string[]
  isInNavigation: boolean
}

interface Walk<Page> {
  titleOfPage: (page: Page) => string | null
  findings: FindingList
  placed: Map<Page, PlacedFumadocsPage<Page>>
}

const depthMax = 40

/**
 * Orders pages by the `pages` lists of their folders: names, `...` for all others, `...folder` for a folder's contents,
 * `!name` to exclude, `---Title---` for a heading. Without a list, the index comes first and the rest by name.
 */
export function orderByMeta<Page>(
  top: PageFolder<Page>,
  { titleOfPage, findings }: Pick<Walk<Page>, 'titleOfPage' | 'findings'>,
): PlacedFumadocsPage<Page>[] {
  const walk: Walk<Page> = { titleOfPage, findings, placed: new Map() }
  placeFolder(walk, top, [], 0)
  return [...walk.placed.values(), ...listRest(walk, top, [], 0)]
}

/** Pages missing from all lists are still published. */
function listRest<Page>(
  walk: Walk<Page>,
  folder: PageFolder<Page>,
  section: string[],
  depth: number,
): PlacedFumadocsPage<Page>[] {
  if (depth > depthMax) return []
  const own = [...folder.pages.values()].filter((page) => !walk.placed.has(page))
  return [
    ...own.map((page) => ({ page, section, isInNavigation: false })),
    ...[...folder.folders.values()].flatMap((inner) =>
      listRest(walk, inner, [...section, titleOf(walk, inner)], depth + 1),
    ),
  ]
}

/** The title in `meta.json`, else that of the folder's index page, else the folder's name. */
function titleOf<Page>(walk: Walk<Page>, folder: PageFolder<Page>): string {
  const index = folder.pages.get('index')
  const ofIndex = index === undefined ? null : walk.titleOfPage(index)
  const given = new ConfigFields(folder.meta, '', walk.findings).text('title') ?? ofIndex
  return given ?? capitalize(folder.name.replace(/^\((.*)\)$/, '$1').replace(/[-_]+/g, ' '))
}

function placeFolder<Page>(walk: Walk<Page>, folder: PageFolder<Page>, section: string[], depth: number): void {
  if (depth > depthMax) return
  const fields = new ConfigFields(folder.meta, '', walk.findings)
  const items = fields.get('pages')
  const names = Array.isArray(items) ? items.filter((item) => typeof item === 'string') : ['...']
  const excluded = new Set(names.filter((name) => name.startsWith('!')).map((name) => name.slice(1)))
  const named = new Set([...excluded, ...names.map((name) => name.replace(/^\.\.\.|\/index$/g, ''))])
  // The index page belongs to its folder's title, listed or not.
  const index = folder.pages.get('index')
  if (index !== undefined && !named.has('index')) place(walk, index, section)
  let heading: string[] = []
  for (const name of names) {
    const [separator, title = ''] = /^---(?:\[[^\]]*\])?(.*?)---$|^---$/.exec(name) ?? []
    if (separator !== undefined) heading = title === '' ? [] : [title]
    else if (name === '...' || name === 'z...a') placeOthers(walk, folder, named, [...section, ...heading], depth, name)
    else if (!name.startsWith('!')) placeName(walk, folder, name, [...section, ...heading], depth)
  }
}

function placeName<Page>(
  walk: Walk<Page>,
  folder: PageFolder<Page>,
  written: string,
  section: string[],
  depth: number,
): void {
  if (/^(?:external:)?\[/.test(written)) return
  const isOpened = written.startsWith('...')
  const segments = written
    .replace(/^\.\.\./, '')
    .replace(/^\.\//, '')
    .replace(/\.mdx?$/, '')
    .split('/')
  const last = segments.pop() ?? ''
  const holder = segments.reduce<PageFolder<Page> | undefined>((at, name) => at?.folders.get(name), folder)
  const page = holder?.pages.get(last)
  const inner = holder?.folders.get(last)
  if (page !== undefined && !isOpened) place(walk, page, section)
  else if (inner !== undefined)
    placeFolder(walk, inner, isOpened ? section : [...section, titleOf(walk, inner)], depth + 1)
  else if (!isOpened) {
    const entry = { file: folder.metaFile ?? '', holder: 'A meta.json', target: written, kind: 'page or folder' }
    reportMissingPage(walk.findings, entry)
  }
}

function placeOthers<Page>(
  walk: Walk<Page>,
  folder: PageFolder<Page>,
  named: ReadonlySet<string>,
  section: string[],
  depth: number,
  order: '...' | 'z...a',
): void {
  const names = [...folder.pages.keys(), ...folder.folders.keys()].filter((name) => !named.has(name))
  names.sort((a, b) => a.localeCompare(b))
  for (const name of order === '...' ? names : names.toReversed()) {
    const page = folder.pages.get(name)
    if (page !== undefined) place(walk, page, section)
    const inner = folder.folders.get(name)
    if (inner !== undefined) placeFolder(walk, inner, [...section, titleOf(walk, inner)], depth + 1)
  }
}

function place<Page>({ placed }: Walk<Page>, page: Page, section: string[]): void {
  if (!placed.has(page)) placed.set(page, { page, section, isInNavigation: true })
}
