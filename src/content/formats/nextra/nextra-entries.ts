import { findNamedPage, folderOf, nameBelow } from '../../navigation/folder-meta.ts'
import { fieldOf, resolveLiteral, textOf } from '../../navigation/literal-node.ts'
import {
  type EntryShape,
  type NavigationGroup,
  type NavigationSite,
  readGroups,
  type SiteNavigation,
} from '../../navigation/site-navigation.ts'
import { filesBelow } from '../../routes/site-roots.ts'
import { metaFile } from './nextra-format.ts'

/** Reads the `_meta` of each folder of a Nextra site, as far as they are literals. */
export async function readNextraEntries(site: NavigationSite): Promise<SiteNavigation> {
  const { reading, root, literals } = site
  const groups: NavigationGroup[] = []
  const computed: { file: string; line: number }[] = []
  for (const [name, file] of filesBelow(reading.paths, root)) {
    if (!metaFile.test(name)) continue
    const meta = await literals.read(file)
    const folder = folderOf(file)
    const found = readGroups(createShape(site, folder), { node: meta, context: null, trail: [folder] })
    if (found.length === 0) computed.push({ file, line: 1 })
    groups.push(...found)
  }
  return {
    groups,
    computed,
    describeAutomatic: () => 'Nextra lists every page of a folder; those that its _meta does not name come last.',
    redirects:
      'Nextra has no redirects of its own. A person has to add the redirect to "redirects" of next.config, which is code.',
  }
}

function createShape({ reading }: NavigationSite, folder: string): EntryShape<null> {
  return {
    read(node, _, field) {
      const literal = resolveLiteral(node)
      const title = literal?.kind === 'text' ? literal : textOf(fieldOf(node, 'title'))
      if (field === null) return { title }
      const file = findNamedPage(reading.paths, folder, field.key) ?? `${folder}/${field.key}.mdx`
      return { title, names: [{ file, node: field, write: (to) => nameInFolder(folder, to) }] }
    },
    write: ({ file, title }) => {
      const key = nameInFolder(folder, file)
      return key === null ? null : { key, value: title }
    },
    writeGroup: () => null,
  }
}

/** Pages of deeper folders are named there. */
function nameInFolder(folder: string, file: string): string | null {
  const name = nameBelow(folder, file)
  return name?.includes('/') === true ? null : name
}
