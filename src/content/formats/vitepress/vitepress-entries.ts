import { hostRedirects } from '../../navigation/host-redirects.ts'
import { fieldOf, type LiteralNode, resolveLiteral, textOf } from '../../navigation/literal-node.ts'
import {
  type EntryShape,
  listComputed,
  type NavigationSite,
  type PageName,
  readGroups,
  type SiteNavigation,
} from '../../navigation/site-navigation.ts'
import { joinRoute, readUrlPath } from '../../routes/routed-page.ts'
import { filesBelow, findFileBelow, inFolder } from '../../routes/site-roots.ts'
import { configFile, localeConfig } from './vitepress-format.ts'

interface Context {
  /** Path at which the site is published. */
  siteBase: string
  /** What the links of the list are relative to. */
  base: string
  /** The ending of the links around, such as `.md`. */
  ending: string
}

/** Reads the sidebars of a VitePress site, as far as they are literals. */
export async function readVitepressEntries(site: NavigationSite): Promise<SiteNavigation> {
  const { reading, root, literals } = site
  const file = findFileBelow(reading.paths, root, configFile) ?? ''
  const config = await literals.read(file)
  const siteBase = joinRoute(textOf(fieldOf(config, 'base'))?.value ?? '/')
  const sourceFolder = inFolder(root, joinRoute(textOf(fieldOf(config, 'srcDir'))?.value ?? '').slice(1))
  const sidebars = [sidebarOf(config)]
  const locales = resolveLiteral(fieldOf(config, 'locales'))
  if (locales?.kind === 'record') sidebars.push(...locales.fields.map(({ value }) => sidebarOf(value)))
  for (const [name, path] of filesBelow(reading.paths, sourceFolder)) {
    if (localeConfig.test(name)) sidebars.push(sidebarOf(await literals.read(path)))
  }
  const shape = createShape(site)
  return {
    groups: sidebars.flatMap((sidebar) => readSidebar(shape, sidebar, siteBase)),
    computed: listComputed(sidebars, literals.texts),
    describeAutomatic: () => (sidebars.every((sidebar) => sidebar === undefined) ? 'This site has no sidebar.' : null),
    redirects: hostRedirects(site, 'VitePress'),
  }
}

const sidebarOf = (config: LiteralNode | undefined) => fieldOf(fieldOf(config, 'themeConfig'), 'sidebar')

/** A list, or lists by the path that they are shown at. */
function readSidebar(shape: EntryShape<Context>, sidebar: LiteralNode | undefined, siteBase: string) {
  const literal = resolveLiteral(sidebar)
  const lists =
    literal?.kind === 'record'
      ? literal.fields.map(({ key, value }) => {
          const record = resolveLiteral(value)
          const base = textOf(fieldOf(value, 'base'))?.value ?? ''
          return { node: record?.kind === 'record' ? fieldOf(value, 'items') : value, base, trail: [key] }
        })
      : [{ node: sidebar, base: '', trail: [] }]
  return lists.flatMap(({ node, base, trail }) =>
    readGroups(shape, { node, trail, context: { siteBase, base, ending: endingOf(node) } }),
  )
}

function createShape(site: NavigationSite): EntryShape<Context> {
  return {
    read(node, context) {
      const base = textOf(fieldOf(node, 'base'))?.value ?? context.base
      const items = fieldOf(node, 'items')
      const inner = { ...context, base, ending: endingOf(items) || context.ending }
      return {
        title: textOf(fieldOf(node, 'text')),
        names: [nameOf(site, textOf(fieldOf(node, 'link')), { ...context, base })],
        lists: items === undefined ? [] : [{ node: items, context: inner }],
      }
    },
    write: ({ file, title }, context) => {
      const link = linkOf(site, file, context)
      return link === null ? null : { value: { text: title, link } }
    },
    writeGroup: (text, pages, context) => {
      const items = pages.flatMap(({ file, title }) => {
        const link = linkOf(site, file, context)
        return link === null ? [] : [{ text: title, link }]
      })
      return { value: { text, items } }
    },
  }
}

function endingOf(items: LiteralNode | undefined): string {
  const list = resolveLiteral(items)
  const first = list?.kind === 'list' ? list.items[0] : undefined
  return /\.(?:md|html)$/.exec(textOf(fieldOf(first, 'link'))?.value ?? '')?.[0] ?? ''
}

function nameOf(site: NavigationSite, node: ReturnType<typeof textOf>, context: Context): PageName | null {
  if (node === null || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(node.value)) return null
  const bare = `${context.base}${node.value}`
    .replace(/[?#].*$/, '')
    .replace(/\.(?:md|html)$/, '')
    .replace(/(^|\/)index$/, '$1')
  const address = joinRoute(context.siteBase, readUrlPath(`/${bare.replace(/^\/+/, '')}`))
  const ending = /\.(?:md|html)$/.exec(node.value)?.[0] ?? ''
  const isRooted = node.value.startsWith('/')
  return {
    file: site.routes.get(address) ?? address,
    node,
    write: (file) => linkOf(site, file, { ...context, ending }, isRooted),
  }
}

/** Null for a page beyond the base of a list. */
function linkOf({ addresses }: NavigationSite, file: string, { siteBase, base, ending }: Context, isRooted = true) {
  const address = addresses.get(file)
  if (address === undefined) return null
  const below = siteBase === '/' ? address : address.slice(siteBase.length)
  const isFolder = /(?:^|\/)index\.md$/.test(file)
  const path = isFolder ? `${below.replace(/\/$/, '')}/${ending === '' ? '' : `index${ending}`}` : below + ending
  if (base === '') return isRooted ? path : path.replace(/^\//, '')
  return path.startsWith(base) ? path.slice(base.length) : null
}
