import { createKey, type CreateKeyDeps } from '../access/keys/create-key.ts'
import { createOwnerLink, ownerLinkUrl } from '../access/sign-in/sign-in.ts'
import { insertPrepared, removePrepared } from '../codehost/builtin/create-repository.ts'
import type { Settings } from '../config/settings.ts'
import { createSite, type CreateSiteDeps } from '../sites/create-site.ts'
import { firstStartName, isFirstStartDone, setInstallationValueIfAbsent } from '../store/installation.ts'
import { insertOrganization } from '../store/accounts/organizations.ts'
import { insertProject } from '../store/accounts/projects.ts'
import { type DemoRepositoryDeps, demoRepositoryName, demoSource, prepareDemoRepository } from './demo-repository.ts'

/** What the first start created, shown only once. */
export interface FirstStart {
  adminKey: string
  assistantKey: string
  siteSlug: string
  /** Signs the owner in, once. */
  ownerLink: string
}

export type FirstStartDeps = CreateKeyDeps &
  Omit<CreateSiteDeps, 'organizationId'> &
  DemoRepositoryDeps & {
    /** Where clients reach the server, without a slash at the end. */
    baseUrl: string
  }

const organizationId = 'default'
const projectId = 'default'
const siteSlug = 'docs'

/**
 * Creates the organization, the project, the demo site with its repository, the owner and both keys, once per
 * installation.
 *
 * One transaction creates all of it and records that it is done: a killed process leaves nothing behind, and of two
 * concurrent starts only one creates it.
 *
 * @param demo.demoFolder The folder of the project's own documentation.
 * @returns Null on every start but the first.
 */
export async function makeFirstStart(
  deps: FirstStartDeps,
  settings: Pick<Settings, 'adminKey' | 'assistantKey'>,
  { demoFolder, readsDemoInPlace }: { demoFolder: string; readsDemoInPlace: boolean },
): Promise<FirstStart | null> {
  if (await isFirstStartDone(deps.store.durable)) return null
  // Before the transaction, because other writers wait for it.
  const repository = readsDemoInPlace ? null : await prepareDemoRepository(deps, demoFolder)
  const made = await deps.store.durable.transaction().execute(async (transaction) => {
    const createdAt = deps.clock.now()
    if (!(await setInstallationValueIfAbsent(transaction, firstStartName, String(createdAt)))) return null
    const inside = { ...deps, store: { ...deps.store, durable: transaction }, organizationId }
    await insertOrganization(transaction, { id: organizationId, name: 'Default', createdAt })
    await insertProject(transaction, { id: projectId, organizationId, name: 'Default', createdAt })
    if (repository !== null) {
      await insertPrepared(transaction, repository, { organizationId, name: demoRepositoryName, createdAt })
    }
    const site = await createSite(inside, {
      slug: siteSlug,
      name: 'Docent',
      source: repository === null ? { kind: 'folder', location: demoFolder, ref: null, subdirectory: '' } : demoSource,
      hostnames: [],
      url: null,
      projectId,
    })
    const admin = await createKey(inside, {
      kind: 'admin',
      name: 'First admin key',
      organizationId,
      secret: settings.adminKey,
    })
    const assistant = await createKey(inside, {
      kind: 'assistant',
      name: 'First assistant key',
      organizationId,
      siteId: site.id,
      secret: settings.assistantKey,
    })
    const { token } = await createOwnerLink(inside, organizationId)
    const ownerLink = ownerLinkUrl(deps.baseUrl, token)
    return { adminKey: admin.secret, assistantKey: assistant.secret, siteSlug, ownerLink }
  })
  if (made === null && repository !== null) await removePrepared(deps, repository)
  return made
}
