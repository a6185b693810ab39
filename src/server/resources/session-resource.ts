import type { z } from 'zod'
import type { Session } from '../../access/sign-in/sign-in.ts'
import { commandPrefix } from '../../config/name-command.ts'
import type { sessionSchema } from '../../contract/accounts.ts'
import { getBrand } from '../../store/accounts/brands.ts'
import { getOrganization } from '../../store/accounts/organizations.ts'
import { hasUserWhoSignsIn } from '../../store/accounts/users.ts'
import type { AppContext } from '../app-env.ts'
import { describeBrand } from '../pages/brand.ts'
import { localOrganizationId } from '../requests/require-admin.ts'
import type { ServerDeps } from '../server-deps.ts'

/** Describes to our own pages who is signed in, the form token, and how to sign in if nobody is. */
export async function describeSession(
  c: AppContext,
  deps: ServerDeps,
  session: Session | null,
): Promise<z.input<typeof sessionSchema>> {
  const db = deps.store.durable
  const organizationId = session?.user.organizationId ?? localOrganizationId
  const organization = await getOrganization(db, organizationId)
  const isFirstRun = session === null && !(await hasUserWhoSignsIn(db, organizationId))
  c.header('Cache-Control', 'private, no-store')
  return {
    user: session && describeUser(session),
    organization: { id: organizationId, name: organization?.name ?? organizationId },
    brand: describeBrand(await getBrand(db, { organizationId })),
    formToken: session?.formToken ?? null,
    methods: { password: true, oidc: deps.oidc && { name: deps.oidc.name } },
    isFirstRun,
    ...(session !== null || isFirstRun ? { commandPrefix } : {}),
  }
}

function describeUser({ user: { id, name, email, role } }: Session) {
  return { id, name, email, role }
}
