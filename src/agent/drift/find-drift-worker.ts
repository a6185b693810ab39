import { serveThread } from '../../base/serve-thread.ts'
import type { DescribedDrift } from '../../drift/describe-drift.ts'
import { DriftState } from '../../drift/drift-state.ts'
import { withCommitFiles } from '../../sites/drift/commit-files.ts'
import { listDrift } from '../../sites/drift/list-drift.ts'
import { readPageTree } from '../../sites/drift/page-tree.ts'
import { openSourceTree } from '../../sites/sources/open-source-tree.ts'
import type { SiteSource } from '../../store/sites/sites.ts'
import type { DriftRequest, ProductCommit } from './drift-thread.ts'

const { signal } = new AbortController()

/** A request that was given up on may still hold the file. */
let last: Promise<unknown> = Promise.resolve()

serveThread((request: DriftRequest): Promise<DescribedDrift[]> => {
  const next = last.then(() => find(request))
  last = next.catch(() => undefined)
  return next
})

async function find({ file, products, pages, change }: DriftRequest): Promise<DescribedDrift[]> {
  const state = new DriftState(file)
  try {
    state.forgetOthers(products.map(({ name }) => name))
    for (const product of products) await followProduct(state, product)
    const found = await compareWithPages(state, pages)
    if (change === null) return found
    const { name, from, to } = change
    return await state.preview(async () => {
      await withCommitFiles(from, (tree) => state.advanceProduct(name, tree, signal), signal)
      state.forgetLapsed()
      await withCommitFiles(to, (tree) => state.advanceProduct(name, tree, signal), signal)
      return compareWithPages(state, change.pages ?? pages)
    })
  } finally {
    state.close()
  }
}

async function followProduct(state: DriftState, { name, origin, isReplaced, ...tip }: ProductCommit): Promise<void> {
  if (isReplaced) state.forget(name)
  const commits = state.findRevision(name) === null ? [origin, tip.commit] : [tip.commit]
  for (const commit of commits) {
    if (state.findRevision(name) === commit) continue
    await withCommitFiles({ ...tip, commit }, (tree) => state.advanceProduct(name, tree, signal), signal)
  }
}

async function compareWithPages(state: DriftState, source: SiteSource): Promise<DescribedDrift[]> {
  const opened = await openSourceTree(source, signal)
  try {
    const tree = await readPageTree(opened)
    await state.advancePages(tree, signal)
    return await listDrift(state, (id) => tree.read(id))
  } finally {
    await opened.close()
  }
}
