import { createKey } from '../../src/access/keys/create-key.ts'
import { createIdSource } from '../../src/base/ids.ts'
import { insertOrganization } from '../../src/store/accounts/organizations.ts'
import { insertProject } from '../../src/store/accounts/projects.ts'
import type { Docent } from './start-docent.ts'

/** A second organization on the same installation. @returns The headers of its admin key. */
export async function addOtherOrganization({ service }: Docent): Promise<{ authorization: string }> {
  const clock = { now: () => Date.now() }
  const deps = { store: service.store, clock, ids: createIdSource(clock), randomBytes: Buffer.alloc }
  const organizationId = 'rival'
  await insertOrganization(service.store.durable, { id: organizationId, name: 'Rival', createdAt: clock.now() })
  await insertProject(service.store.durable, { id: 'rival', organizationId, name: 'Rival', createdAt: clock.now() })
  const secret = `svc_${'r'.repeat(43)}`
  await createKey(deps, { kind: 'admin', name: 'Rival', organizationId, secret })
  return { authorization: `Bearer ${secret}` }
}
