import { acceptUrl, makeSignInLink } from '../../access/sign-in/invite.ts'
import type { Role } from '../../contract/accounts.ts'
import { AppError } from '../../contract/app-error.ts'
import type { memberOperations } from '../../contract/operations/accounts.ts'
import { changeMember, getUser, listMembers, type Member } from '../../store/accounts/users.ts'
import type { AppContext } from '../app-env.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

/** Handlers of an organization's members. */
type MemberDeps = Pick<ServerDeps, 'store' | 'baseUrl' | 'clock' | 'ids' | 'randomBytes'>

export function createMemberHandlers(deps: MemberDeps): Handlers<typeof memberOperations> {
  const { store, baseUrl } = deps

  return {
    listMembers: async ({ c, query }) => {
      const request = { ...query, organizationId: c.get('organizationId') }
      return listMembers(store.durable, request)
    },

    updateMember: async ({ c, params, body: { role } }) => {
      const member = await findOwnMember(c, deps, params.id)
      await change(c, deps, member, role)
      return {
        reply: { ...member, role },
        audit: { target: { ...targetOf(member), name: `${member.name}: ${role}` } },
      }
    },

    removeMember: async ({ c, params }) => {
      const member = await findOwnMember(c, deps, params.id)
      await change(c, deps, member, null)
      return { reply: null, audit: { target: targetOf(member) } }
    },

    createSignInLink: async ({ c, params }) => {
      const member = await findOwnMember(c, deps, params.id)
      const { token, expiresAt } = await makeSignInLink(deps, member.id)
      c.header('Cache-Control', 'private, no-store')
      return {
        reply: { url: acceptUrl(baseUrl, token), expiresAt },
        audit: { target: targetOf(member) },
      }
    },
  }
}

/** @param role Null removes the member. */
async function change(c: AppContext, { store }: MemberDeps, { id }: Member, role: Role | null): Promise<void> {
  const outcome = await changeMember(store.durable, { organizationId: c.get('organizationId'), userId: id, role })
  if (outcome === 'missing') throw missingMember(id)
  if (outcome === 'changed') return
  throw new AppError('last_owner', 'An organization needs at least one owner. Make another member an owner first.')
}

async function findOwnMember(c: AppContext, { store }: MemberDeps, id: string): Promise<Member> {
  const member = await getUser(store.durable, id)
  if (member?.organizationId !== c.get('organizationId')) throw missingMember(id)
  return member
}

function missingMember(id: string): AppError {
  return new AppError('not_found', `There is no member ${id.slice(0, 100)}. List the members to see their ids.`)
}

function targetOf({ id, name }: Member) {
  return { kind: 'user', id, name }
}
