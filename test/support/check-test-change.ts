import { createMemoryTree } from '../../src/content/trees/memory-tree.ts'
import { type ChangeLimits, checkChange } from '../../src/content/checks/check-change.ts'

const live = new AbortController().signal

type Files = Record<string, string>

export const docsJson = (pages: readonly string[], more: Record<string, unknown> = {}) =>
  JSON.stringify({ name: 'Site', theme: 'mint', colors: { primary: '#000' }, navigation: { pages }, ...more }, null, 2)

/** A small site whose every rule is kept but for one old broken link. */
export const site: Files = {
  'docs.json': docsJson(['index', 'guides/install', 'guides/use']),
  'index.mdx': '---\ntitle: Home\n---\n\nSee [install](/guides/install#on-linux).\n',
  'guides/install.mdx': '---\ntitle: Install\n---\n\n## On Linux\n\nText.\n\n## On Windows\n\nText.\n',
  'guides/use.mdx': '---\ntitle: Use\n---\n\nFirst [install](./install) it.\n\nAn old [broken link](/nowhere).\n',
  'snippets/note.mdx': 'A note about [use](/guides/use).\n',
}

/** What a change of a site adds, as `severity rule path: what it names`. */
export async function check(
  change: Record<string, string | null>,
  options: { files?: Files; renamed?: [string, string][]; limits?: ChangeLimits } = {},
) {
  const files = options.files ?? site
  const after = Object.fromEntries(
    Object.entries({ ...files, ...change }).flatMap(([path, text]) => (text === null ? [] : [[path, text]])),
  )
  return checkChange(
    {
      before: createMemoryTree(files),
      after: createMemoryTree(after),
      changedPaths: Object.keys(change),
      renamed: new Map(options.renamed ?? []),
      ...(options.limits === undefined ? {} : { limits: options.limits }),
    },
    live,
  )
}

export const rulesOf = (problems: Awaited<ReturnType<typeof check>>) =>
  problems.map(({ rule, path }) => `${rule} ${path}`)
