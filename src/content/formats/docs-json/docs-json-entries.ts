import { pagePathOf, resolveSourcePath } from '../../trees/source-path.ts'
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
  listedRedirects,
  type NavigationSite,
  type PageName,
  readGroups,
  type RedirectPlace,
  type SiteNavigation,
} from '../../navigation/site-navigation.ts'

/** Fields of a group that contain entries, with whether these may be pages. */
const holders = new Map(
  Object.entries({
    pages: true,
    groups: false,
    tabs: false,
    anchors: false,
    versions: false,
    languages: false,
    dropdowns: false,
    products: false,
    menu: false,
    navigation: false,
  }),
)
const titles = ['group', 'tab', 'anchor', 'dropdown', 'version', 'language', 'product', 'item']

/** Reads the entries of `docs.json` or `mint.json`. */
export async function readDocsJsonEntries(site: NavigationSite, file: string): Promise<SiteNavigation> {
  const root = await followReferences(site, await site.literals.read(file), [file])
  const navigation = fieldOf(root, 'navigation')
  const shape = createShape(site)
  const top = resolveLiteral(navigation)
  const lists =
    top?.kind === 'record' ? shape.read(top, 'none', null).lists : [{ node: navigation, context: 'none' as const }]
  return {
    groups: (lists ?? []).flatMap((list) => readGroups<Context>(shape, list)),
    computed: [],
    describeAutomatic: () => null,
    redirects: findRedirects(root, file),
  }
}

/** Longest chain of files that refer to each other. */
const referencesMax = 5

/** Lets `{ "$ref": "./fr.json" }` be replaced by the content of that file. With other keys beside it, the text is not available as a whole. */
async function followReferences(
  site: NavigationSite,
  node: LiteralNode | undefined,
  files: readonly string[],
): Promise<LiteralNode | undefined> {
  if (node?.kind === 'list') {
    const items = []
    for (const item of node.items) items.push((await followReferences(site, item, files)) ?? item)
    return { ...node, items }
  }
  if (node?.kind !== 'record') return node
  const reference = node.fields.length === 1 ? textOf(fieldOf(node, '$ref')) : null
  if (reference !== null) {
    const file = resolveSourcePath(files.at(-1) ?? '', reference.value)
    const isFollowed = file !== null && !files.includes(file) && files.length < referencesMax
    const target = isFollowed
      ? await followReferences(site, await site.literals.read(file), [...files, file])
      : undefined
    return { kind: 'code', file: node.file, start: node.start, end: node.end, isSpread: false, target: target ?? null }
  }
  const fields = []
  for (const field of node.fields) {
    fields.push({ ...field, value: (await followReferences(site, field.value, files)) ?? field.value })
  }
  return { ...node, fields }
}

/** Whether a list takes pages, and whether their names begin with a slash. */
type Context = 'none' | 'bare' | 'rooted'

function createShape(site: NavigationSite): EntryShape<Context> {
  const name = (node: LiteralText | null) => (node === null ? null : nameOf(site, node))
  return {
    read(node) {
      const literal = resolveLiteral(node)
      if (literal?.kind === 'text') return { title: null, names: [nameOf(site, literal)] }
      if (literal?.kind !== 'record') return { title: null }
      const title = titles.map((key) => textOf(fieldOf(literal, key))).find((text) => text !== null) ?? null
      const lists = literal.fields.flatMap(({ key, value }) => {
        const takesPages = holders.get(key)
        return takesPages === undefined ? [] : [{ node: value, context: takesPages ? styleOf(value) : 'none' } as const]
      })
      return { title, names: [name(textOf(fieldOf(literal, 'root')))], lists }
    },
    write: ({ file }, context) =>
      context === 'none' ? null : { value: (context === 'rooted' ? '/' : '') + bare(file) },
    writeGroup: (group, pages) => ({ value: { group, pages: pages.map(({ file }) => bare(file)) } }),
  }
}

function styleOf(pages: LiteralNode): Context {
  const [first] = itemsOf(pages).flatMap((item) => textOf(item) ?? [])
  return first?.value.startsWith('/') === true ? 'rooted' : 'bare'
}

const bare = (file: string) => file.replace(/\.mdx?$/i, '')

function nameOf({ routes }: NavigationSite, node: LiteralText): PageName | null {
  const { value } = node
  if (/^[a-z][a-z0-9+.-]*:/i.test(value)) return null
  return {
    file: routes.get(pagePathOf(value)) ?? value,
    node,
    write: (to) => {
      const slash = value.startsWith('/') ? '/' : ''
      return slash + (/\.mdx?$/i.test(value) ? to : keepIndex(value, to))
    },
  }
}

/** Navigations refer to an index by file or by folder; keeps the existing style. */
function keepIndex(value: string, to: string): string {
  const isIndex = /(?:^|\/)index$/i
  return isIndex.test(value) || isIndex.test(bare(to)) ? bare(to) : pagePathOf(to).slice(1)
}

function findRedirects(root: LiteralNode | undefined, file: string): RedirectPlace | string {
  const listed = listedRedirects(fieldOf(root, 'redirects'), ['source', 'destination'])
  const record = resolveLiteral(root)
  if (listed !== null) return listed
  if (record?.kind !== 'record' || fieldOf(root, 'redirects') !== undefined) {
    return `The redirects of ${file} are not a list that can be edited. Add the redirect by hand.`
  }
  return {
    container: record,
    isNew: true,
    root: record,
    sources: [],
    sourceOf: ({ address }) => address,
    write: (from, to) => ({ key: 'redirects', value: [{ source: from.address, destination: to.address }] }),
  }
}
