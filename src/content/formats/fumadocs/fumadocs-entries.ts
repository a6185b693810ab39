import { findNamedPage, folderOf, nameBelow } from '../../navigation/folder-meta.ts'
import { fieldOf, itemsOf, type LiteralNode, resolveLiteral, textOf } from '../../navigation/literal-node.ts'
import {
  type EntryShape,
  type NavigationGroup,
  type NavigationSite,
  readGroups,
  type SiteNavigation,
} from '../../navigation/site-navigation.ts'
import { filesBelow } from '../../routes/site-roots.ts'
import { metaFile } from './fumadocs-format.ts'

/** Reads the `meta.json` of each folder of a Fumadocs site. */
export async function readFumadocsEntries(site: NavigationSite): Promise<SiteNavigation> {
  const { reading, root, literals } = site
  const lists = new Map<string, LiteralNode>()
  const groups: NavigationGroup[] = []
  for (const [name, file] of filesBelow(reading.paths, root)) {
    if (!metaFile.test(name)) continue
    const meta = await literals.read(file)
    const pages = fieldOf(meta, 'pages')
    const folder = folderOf(file)
    if (pages === undefined) continue
    lists.set(folder, pages)
    const trail = [textOf(fieldOf(meta, 'title'))?.value ?? folder.split('/').at(-1) ?? '']
    groups.push(...readGroups(createShape(site, folder), { node: pages, context: null, trail }))
  }
  return {
    groups,
    computed: [],
    describeAutomatic: (file) => describeAutomatic(lists.get(folderOf(file))),
    redirects:
      'Fumadocs has no redirects of its own. A person has to add the redirect to "redirects" of the configuration of the framework, such as next.config.mjs.',
  }
}

function describeAutomatic(pages: LiteralNode | undefined): string | null {
  if (pages === undefined) return 'Its folder lists every page by itself, because no meta.json with "pages" is there.'
  const names = new Set(itemsOf(pages).map((item) => textOf(item)?.value))
  return names.has('...') || names.has('z...a')
    ? 'The meta.json of its folder lists the pages that it does not name in the place of "...".'
    : null
}

function createShape({ reading }: NavigationSite, folder: string): EntryShape<null> {
  return {
    read(node) {
      const literal = resolveLiteral(node)
      if (literal?.kind !== 'text' || /^(?:---|!|\.\.\.|z\.\.\.a|(?:external:)?\[)/.test(literal.value))
        return { title: null }
      const file = findNamedPage(reading.paths, folder, literal.value) ?? `${folder}/${literal.value}.mdx`
      return { title: null, names: [{ file, node: literal, write: (to) => nameBelow(folder, to) }] }
    },
    write: ({ file }) => {
      const name = nameBelow(folder, file)
      // Pages of deeper folders are named there.
      return name === null || name.includes('/') ? null : { value: name }
    },
    writeGroup: () => null,
  }
}
