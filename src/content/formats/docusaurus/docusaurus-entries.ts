import { FindingList } from '../../finding-list.ts'
import {
  fieldOf,
  itemsOf,
  type LiteralNode,
  type LiteralText,
  resolveLiteral,
  textOf,
} from '../../navigation/literal-node.ts'
import {
  type EntryShape,
  listComputed,
  listedRedirects,
  type NavigationSite,
  type PageName,
  readGroups,
  type RedirectPlace,
  type SiteNavigation,
} from '../../navigation/site-navigation.ts'
import { readPageHeads } from '../../pages/page-head.ts'
import { joinRoute } from '../../routes/routed-page.ts'
import { filesBelow } from '../../routes/site-roots.ts'
import { isPageFile } from '../../trees/source-path.ts'
import { readDocusaurusConfig } from './docusaurus-config.ts'
import { describeDoc } from './docusaurus-docs.ts'
import { folderOf, sidebarFileOf } from './docusaurus-files.ts'

/** The documents of one version. */
interface Version {
  folder: string
  /** The sidebars; undefined if they follow from the files. */
  sidebars: LiteralNode | undefined
  idOf(file: string): string | null
  fileOf(id: string): string | null
}

/** Reads the sidebars and the redirects of a Docusaurus site, as far as they are literals. */
export async function readDocusaurusEntries(site: NavigationSite): Promise<SiteNavigation> {
  const { reading, root, literals } = site
  const config = await readDocusaurusConfig({ ...reading, findings: new FindingList() }, root)
  const versions: Version[] = []
  for (const instance of config.instances) {
    for (const version of instance.versions) {
      const sidebarFile = sidebarFileOf(instance, version, root)
      const sidebars = sidebarFile === null ? undefined : await literals.read(sidebarFile)
      versions.push({ ...(await readDocs(site, folderOf(instance, version, null, root))), sidebars })
    }
  }
  return {
    groups: versions.flatMap((version) => {
      const context = { version, isRoot: true }
      return readGroups(createShape(), { node: version.sidebars, context })
    }),
    computed: listComputed(
      versions.flatMap(({ sidebars }) => {
        const record = resolveLiteral(sidebars)
        return record?.kind === 'record' ? record.fields.map(({ value }) => value) : []
      }),
      literals.texts,
    ),
    describeAutomatic: (file) => describeAutomatic(versions, file),
    redirects: findRedirects(await literals.read(config.file), config.file, config.base),
  }
}

async function readDocs({ reading }: NavigationSite, folder: string): Promise<Omit<Version, 'sidebars'>> {
  const below = [...filesBelow(reading.paths, folder)].filter(([name]) => isPageFile(name))
  const heads = await readPageHeads({ ...reading, findings: new FindingList() }, new Map(below).values())
  const ids = new Map<string, string>()
  for (const [name, file] of below) {
    const head = heads.get(file)
    if (head !== undefined) ids.set(file, describeDoc(name, file, head, '/').id)
  }
  const files = new Map([...ids].map(([file, id]) => [id, file]))
  return { folder, idOf: (file) => ids.get(file) ?? null, fileOf: (id) => files.get(id) ?? null }
}

interface Context {
  version: Version
  /** Whether the fields of the record are sidebars. */
  isRoot: boolean
}

function createShape(): EntryShape<Context> {
  const name = (node: LiteralText | null, { version }: Context): PageName | null =>
    node === null
      ? null
      : { file: version.fileOf(node.value) ?? `${version.folder}/${node.value}.md`, node, write: version.idOf }
  return {
    read(node, { version }, field) {
      const context = { version, isRoot: false }
      const literal = resolveLiteral(node)
      if (literal?.kind === 'text') return { title: null, names: [name(literal, context)] }
      // The shorthand of a category: its label is the key.
      if (field !== null) return { title: field.key, lists: [{ node, context }] }
      if (literal?.kind !== 'record') return { title: null }
      const type = textOf(fieldOf(literal, 'type'))?.value
      if (type === undefined) return { title: null, lists: [{ node, context }] }
      const link = fieldOf(literal, 'link')
      const names = [
        type === 'doc' || type === 'ref' ? name(textOf(fieldOf(literal, 'id')), context) : null,
        textOf(fieldOf(link, 'type'))?.value === 'doc' ? name(textOf(fieldOf(link, 'id')), context) : null,
      ]
      const items = fieldOf(literal, 'items')
      return {
        title: textOf(fieldOf(literal, 'label')),
        names,
        lists: items === undefined ? [] : [{ node: items, context }],
      }
    },
    // A sidebar or a shorthand is a record, where an entry would need a key.
    write: ({ file }, { version, isRoot }) => {
      const id = isRoot ? null : version.idOf(file)
      return id === null ? null : { value: id }
    },
    writeGroup: (label, pages, { version, isRoot }) => {
      const items = pages.flatMap(({ file }) => version.idOf(file) ?? [])
      return isRoot ? null : { value: { type: 'category', label, items } }
    },
  }
}

function describeAutomatic(versions: readonly Version[], file: string): string | null {
  const version = versions.find(({ folder }) => file.startsWith(`${folder}/`))
  if (version === undefined) return 'It is no document: pages outside of the documentation have no sidebar.'
  if (version.sidebars === undefined) return 'Without a file of sidebars, the site lists every document by its folder.'
  const record = resolveLiteral(version.sidebars)
  const sidebars = record?.kind === 'record' ? record.fields.map(({ value }) => value) : []
  const name = file.slice(version.folder.length + 1)
  const folder = sidebars
    .flatMap(listDirectories)
    .find((directory) => directory === '' || name.startsWith(`${directory}/`))
  return folder === undefined ? null : `The sidebar lists every document of the folder "${folder || '.'}" by itself.`
}

function listDirectories(items: LiteralNode): string[] {
  return itemsOf(items).flatMap((item) => {
    const isOwn = textOf(fieldOf(item, 'type'))?.value === 'autogenerated'
    const directory = isOwn ? textOf(fieldOf(item, 'dirName')) : null
    const inner = fieldOf(item, 'items')
    return [
      ...(directory === null ? [] : [directory.value.replace(/^\.?\/?|\/$/g, '')]),
      ...(inner === undefined ? [] : listDirectories(inner)),
    ]
  })
}

function findRedirects(config: LiteralNode | undefined, file: string, base: string): RedirectPlace | string {
  const plugins = itemsOf(fieldOf(config, 'plugins')).map((item) => itemsOf(item))
  const [, options] = plugins.find(([name]) => textOf(name)?.value.endsWith('client-redirects') === true) ?? []
  const listed = listedRedirects(fieldOf(options, 'redirects'), ['from', 'to'])
  const below = (address: string) => (base === '/' ? address : joinRoute(address.slice(base.length)))
  if (listed === null) {
    return `Docusaurus redirects by the plugin @docusaurus/plugin-client-redirects with a list of "redirects", which ${file} does not have. A person has to add it.`
  }
  return {
    ...listed,
    sourceOf: ({ address }) => below(address),
    write: (from, to) => ({ value: { from: below(from.address), to: below(to.address) } }),
  }
}
