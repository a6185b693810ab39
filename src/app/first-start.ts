import { createKey, type CreateKeyDeps } from '../access/create-key.ts'
import type { Settings } from '../config/settings.ts'
import { createSite, type CreateSiteDeps } from '../sites/create-site.ts'
import { getInstallationValue, setInstallationValueIfAbsent } from '../store/installation.ts'
import { insertOrganization } from '../store/organizations.ts'
import { insertProject } from '../store/projects.ts'

/** What the first start made, told once and never again. */
export interface FirstStart {
  adminKey: string
  assistantKey: string
  siteSlug: string
}

export type FirstStartDeps = CreateKeyDeps & Omit<CreateSiteDeps, 'organizationId'>

const organizationId = 'default'
const projectId = 'default'
const siteSlug = 'docs'

/** The name in the installation table whose presence says that the first start is done. */
const doneName = 'first-start'

/**
 * Makes the organization, the project, the demo site and both keys, once in the life of an installation.
 *
 * All of it is one transaction with the note that it is done: a process that is killed in between has made nothing, and
 * of two that start at once one makes it.
 *
 * @param demoFolder The folder of the project's own documentation.
 * @returns Null on every start but the first.
 */
export async function makeFirstStart(
  deps: FirstStartDeps,
  settings: Pick<Settings, 'adminKey' | 'assistantKey'>,
  demoFolder: string,
): Promise<FirstStart | null> {
  if ((await getInstallationValue(deps.store.durable, doneName)) !== null) return null
  return deps.store.durable.transaction().execute(async (transaction) => {
    const createdAt = deps.clock.now()
    if (!(await setInstallationValueIfAbsent(transaction, doneName, String(createdAt)))) return null
    const inside = { ...deps, store: { ...deps.store, durable: transaction }, organizationId }
    await insertOrganization(transaction, { id: organizationId, name: 'Default', createdAt })
    await insertProject(transaction, { id: projectId, organizationId, name: 'Default', createdAt })
    const site = await createSite(inside, {
      slug: siteSlug,
      name: 'Docent',
      source: { kind: 'folder', location: demoFolder, ref: null, subdirectory: '' },
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
    return { adminKey: admin.secret, assistantKey: assistant.secret, siteSlug }
  })
}
