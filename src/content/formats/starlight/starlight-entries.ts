import { fieldOf, itemsOf, type LiteralNode, resolveLiteral, textOf } from '../../navigation/literal-node.ts'
import {
  type EntryShape,
  listComputed,
  type NavigationSite,
  type PageName,
  readGroups,
  type RedirectPlace,
  type SiteNavigation,
} from '../../navigation/site-navigation.ts'
import { joinRoute } from '../../routes/routed-page.ts'
import { findFileBelow, inFolder } from '../../routes/site-roots.ts'
import { configFile, contentFolder } from './starlight-format.ts'

/** Reads the sidebar and the redirects of a Starlight site, as far as they are literals. */
export async function readStarlightEntries(site: NavigationSite): Promise<SiteNavigation> {
  const { reading, root, literals } = site
  const file = findFileBelow(reading.paths, root, configFile) ?? ''
  const config = await literals.read(file)
  const starlight = itemsOf(fieldOf(config, 'integrations')).find(
    (item) => item.kind === 'code' && /starlight/i.test(item.callee ?? ''),
  )
  const sidebar = fieldOf(starlight, 'sidebar')
  const shape = createShape(site, joinRoute(textOf(fieldOf(config, 'base'))?.value ?? '/'))
  return {
    groups: readGroups(shape, { node: sidebar, context: null }),
    computed: listComputed([starlight === undefined ? undefined : sidebar], literals.texts),
    describeAutomatic: (page) => describeAutomatic(site, sidebar, page),
    redirects: findRedirects(config, file),
  }
}

function createShape(site: NavigationSite, base: string): EntryShape<null> {
  const slugOf = (file: string) => nameFile(site, file, base)
  const name = (node: ReturnType<typeof textOf>): PageName | null => {
    if (node === null || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(node.value)) return null
    const isLink = node.value.startsWith('/') || node.value.endsWith('/')
    const address = joinRoute(base, node.value.replace(/[?#].*$/, '').replace(/^index$/, ''))
    return {
      file: site.routes.get(address) ?? address,
      node,
      write: (file) => {
        const slug = slugOf(file)
        if (slug === null || !isLink) return slug
        return `${node.value.startsWith('/') ? '/' : ''}${slug}${node.value.endsWith('/') ? '/' : ''}`
      },
    }
  }
  return {
    read(node) {
      const literal = resolveLiteral(node)
      if (literal?.kind === 'text') return { title: null, names: [name(literal)] }
      const items = fieldOf(node, 'items')
      return {
        title: textOf(fieldOf(node, 'label')),
        names: [name(textOf(fieldOf(node, 'slug'))), name(textOf(fieldOf(node, 'link')))],
        lists: items === undefined ? [] : [{ node: items, context: null }],
      }
    },
    // The title of the page is its label.
    write: ({ file }) => {
      const slug = slugOf(file)
      return slug === null ? null : { value: slug }
    },
    writeGroup: (label, pages) => ({
      value: { label, items: pages.flatMap(({ file }) => slugOf(file) ?? []) },
    }),
  }
}

function nameFile({ addresses }: NavigationSite, file: string, base: string): string | null {
  const address = addresses.get(file)
  if (address === undefined) return null
  const below = base === '/' ? address : address.slice(base.length)
  return below.replace(/^\//, '') || 'index'
}

function describeAutomatic({ root }: NavigationSite, sidebar: LiteralNode | undefined, page: string): string | null {
  if (sidebar === undefined) return 'Without a sidebar in its configuration, the site lists every page by its folder.'
  const folder = listDirectories(sidebar).find((directory) =>
    page.startsWith(`${inFolder(root, contentFolder)}/${directory === '' ? '' : `${directory}/`}`),
  )
  return folder === undefined ? null : `The sidebar lists every page of the folder "${folder}" by itself.`
}

function listDirectories(sidebar: LiteralNode | undefined): string[] {
  return itemsOf(sidebar).flatMap((item) => {
    const directory = textOf(fieldOf(fieldOf(item, 'autogenerate'), 'directory'))
    const own = directory === null ? [] : [directory.value.replace(/^\/+|\/+$/g, '')]
    return [...own, ...listDirectories(fieldOf(item, 'items'))]
  })
}

function findRedirects(config: LiteralNode | undefined, file: string): RedirectPlace | string {
  const record = resolveLiteral(config)
  const field = fieldOf(config, 'redirects')
  const redirects = resolveLiteral(field)
  if (record?.kind !== 'record' || (field !== undefined && redirects?.kind !== 'record')) {
    return `The redirects of ${file} are not literals. Add the redirect to "redirects" by hand.`
  }
  const fields = redirects?.kind === 'record' ? redirects.fields : null
  const normal = (address: string) => address.replace(/\/+$/, '') || '/'
  return {
    container: redirects?.kind === 'record' ? redirects : record,
    isNew: fields === null,
    root: record,
    sources: (fields ?? []).map(({ key }) => normal(key)),
    sourceOf: ({ address }) => address,
    write: (from, to) =>
      fields === null
        ? { key: 'redirects', value: { [from.address]: to.address } }
        : { key: from.address, value: to.address },
  }
}
