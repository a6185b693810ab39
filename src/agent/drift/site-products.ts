import { dayMs } from '../../base/durations.ts'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../contract/app-error.ts'
import { isRepositoryKind } from '../../contract/code-hosts.ts'
import { nameFactsFile } from '../../sites/drift/facts-file.ts'
import type { ContextRepositories, OpenContext } from '../../sites/context-repositories.ts'
import type { DriftCheck, DriftOrigin } from '../../store/drift/drift-checks.ts'
import { type ContextRepository, listContextRepositories } from '../../store/sites/context-repositories.ts'
import { getServedIndexGeneration } from '../../store/sites/index-generations.ts'
import type { Site, SiteSource } from '../../store/sites/sites.ts'
import type { StoreDeps } from '../../store/store-deps.ts'
import type { ProductCommit } from './drift-thread.ts'

export interface SiteProductsDeps extends StoreDeps {
  contexts: ContextRepositories
  /** Of the files of facts, one for each site. */
  driftFolder: string
}

/** Half a year. */
const lookbackMs = 182 * dayMs

/** What a check of a site compares. */
export interface SiteProducts {
  /** The site's file of facts. */
  file: string
  products: ProductCommit[]
  productOrigins: Record<string, DriftOrigin>
  pages: SiteSource
  /** Of the index that readers have. */
  pagesRevision: string
}

/**
 * Makes the newest commits of a site's products and pages available on this machine.
 *
 * @returns Null if the site has no products or pages to compare.
 * @throws {AppError} with a sentence, if one cannot be read.
 */
export async function openSiteProducts(
  deps: SiteProductsDeps,
  { site, check }: { site: Site; check: Pick<DriftCheck, 'productOrigins'> | null },
  signal: AbortSignal,
): Promise<SiteProducts | null> {
  const all = await listContextRepositories(deps.store.durable, { siteId: site.id })
  const contexts = all.filter(({ role }) => role === 'product')
  const generation = contexts.length === 0 ? null : await getServedIndexGeneration(deps.store.durable, site.id)
  if (generation === null || site.source.kind === 'crawl') return null
  await mkdir(deps.driftFolder, { recursive: true, mode: 0o700 })
  const file = join(deps.driftFolder, nameFactsFile(site.id))
  const products: ProductCommit[] = []
  const productOrigins: Record<string, DriftOrigin> = {}
  for (const context of contexts) {
    const known = check?.productOrigins?.[context.name] ?? null
    const { product, origin } = await openProduct(deps, { context, known, isFileKnown: existsSync(file) }, signal)
    products.push(product)
    productOrigins[context.name] = origin
  }
  const pages = await openPages(deps, site, generation.revision, signal)
  return { file, products, productOrigins, pages, pagesRevision: generation.revision }
}

interface KnownProduct {
  context: ContextRepository
  known: DriftOrigin | null
  isFileKnown: boolean
}

async function openProduct(
  deps: SiteProductsDeps,
  { context, known, isFileKnown }: KnownProduct,
  signal: AbortSignal,
): Promise<{ product: ProductCommit; origin: DriftOrigin }> {
  const { location, ref, subdirectory } = context.source
  const place = JSON.stringify([location, ref, subdirectory])
  const tip = await deps.contexts.open(context, null, signal)
  const isSame = known?.place === place
  // Only a file that was lost is written again from the origin, which a force push may have removed.
  const origin =
    isSame && isFileKnown ? tip : await openOrigin(deps, { context, tip, known: isSame ? known : null }, signal)
  return {
    product: { ...tip, name: context.name, origin: origin.commit, isReplaced: !isSame },
    origin: { place, commit: isSame && origin === tip && isFileKnown ? known.commit : origin.commit },
  }
}

/** Pages that were false before the product was added are reported as well. */
async function openOrigin(
  { contexts, clock }: SiteProductsDeps,
  { context, tip, known }: Omit<KnownProduct, 'isFileKnown'> & { tip: OpenContext },
  signal: AbortSignal,
): Promise<OpenContext> {
  try {
    const past = { ...tip, before: clock.now() - lookbackMs }
    const commit = known === null ? await contexts.findPast(context, past, signal) : known.commit
    return commit === tip.commit ? tip : await contexts.open(context, commit, signal)
  } catch (error) {
    if (error instanceof AppError) return tip
    throw error
  }
}

async function openPages(
  { contexts }: SiteProductsDeps,
  site: Site,
  revision: string,
  signal: AbortSignal,
): Promise<SiteSource> {
  if (!isRepositoryKind(site.source.kind)) return site.source
  const { gitDirectory, commit, subdirectory } = await contexts.openSite(site, revision, signal)
  return { kind: 'git', location: gitDirectory, ref: commit, subdirectory }
}
