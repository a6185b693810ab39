import { hostRedirects } from '../../navigation/host-redirects.ts'
import { fieldOf, itemsOf, type LiteralNode, type LiteralText, resolveLiteral } from '../../navigation/literal-node.ts'
import {
  type EntryShape,
  type NavigationSite,
  type PageName,
  readGroups,
  type RedirectPlace,
  type SiteNavigation,
} from '../../navigation/site-navigation.ts'
import { inFolder } from '../../routes/site-roots.ts'
import { readMkdocsConfig } from './mkdocs-config.ts'

/** Reads `nav` and the map of the redirects plugin of `mkdocs.yml`. */
export async function readMkdocsEntries(site: NavigationSite): Promise<SiteNavigation> {
  const { reading, root, literals } = site
  const { file, folder, folderNavFile } = await readMkdocsConfig(reading, root)
  const config = await literals.read(file)
  const nav = fieldOf(config, 'nav')
  return {
    groups: readGroups(createShape(folder), { node: nav, context: null }),
    computed: [],
    describeAutomatic: () => describeAutomatic(nav, folderNavFile),
    redirects: findRedirects(site, config, folder),
  }
}

function describeAutomatic(nav: LiteralNode | undefined, folderNavFile: string | null): string | null {
  if (nav !== undefined) return null
  return folderNavFile === null
    ? 'Without "nav" in its configuration, the site lists every page by its path.'
    : `The navigation is in files named ${folderNavFile}: add a link to the list of the one in the page's folder.`
}

function createShape(folder: string): EntryShape<null> {
  const nameOf = (file: string) => {
    const prefix = folder === '' ? '' : `${folder}/`
    return file.startsWith(prefix) ? file.slice(prefix.length) : null
  }
  const name = (node: LiteralText): PageName => ({ file: inFolder(folder, node.value), node, write: nameOf })
  const write = (page: { file: string; title: string }) => {
    const path = nameOf(page.file)
    return path === null ? null : { [page.title]: path }
  }
  return {
    read(node) {
      const literal = resolveLiteral(node)
      if (literal?.kind === 'text') return { title: null, names: [name(literal)] }
      const [field] = literal?.kind === 'record' ? literal.fields : []
      if (literal?.kind !== 'record' || field === undefined) return { title: null }
      const title = { container: literal, field }
      const value = resolveLiteral(field.value)
      if (value?.kind === 'text') return { title, names: [name(value)] }
      return { title, lists: [{ node: field.value, context: null }] }
    },
    write: (page) => {
      const value = write(page)
      return value === null ? null : { value }
    },
    writeGroup: (title, pages) => ({ value: { [title]: pages.map(write).filter((value) => value !== null) } }),
  }
}

function findRedirects(site: NavigationSite, config: LiteralNode | undefined, folder: string): RedirectPlace | string {
  const plugins = fieldOf(config, 'plugins')
  const listed = itemsOf(plugins).map((item) => fieldOf(item, 'redirects'))
  const plugin = listed.find((item) => item !== undefined) ?? fieldOf(plugins, 'redirects')
  const maps = resolveLiteral(fieldOf(plugin, 'redirect_maps'))
  if (maps?.kind !== 'record') {
    return hostRedirects(site, 'Without the plugin mkdocs-redirects and its "redirect_maps", MkDocs')
  }
  const below = (file: string) => (file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file)
  /** Also of an address that no page has. */
  const sourceOf = ({ file }: { file: string }) => below(/\.md$/i.test(file) ? file : `${file}.md`)
  return {
    container: maps,
    isNew: false,
    root: null,
    sources: maps.fields.map(({ key }) => key),
    sourceOf,
    write: (from, to) => ({ key: sourceOf(from), value: below(to.file) }),
  }
}
