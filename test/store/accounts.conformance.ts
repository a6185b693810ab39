import { beforeEach, describe, expect, it } from 'vitest'
import {
  type AuditEntry,
  insertAuditEntry,
  listAuditEntries,
  removeOldAuditEntries,
} from '../../src/store/accounts/audit-log.ts'
import {
  findOpenInvitation,
  insertInvitation,
  listInvitations,
  removeOldInvitations,
  revokeInvitation,
  consumeInvitation,
} from '../../src/store/accounts/invitations.ts'
import { insertOrganization } from '../../src/store/accounts/organizations.ts'
import { deleteSavedView, listSavedViews, saveView } from '../../src/store/accounts/saved-views.ts'
import {
  deleteExpiredSessions,
  deleteSession,
  deleteSessionsOf,
  findSessionUser,
  findSignInLink,
  insertSession,
  insertSignInLink,
  consumeSignInLink,
  touchSession,
} from '../../src/store/accounts/sessions.ts'
import {
  findOpenSharedView,
  insertSharedView,
  listSharedViews,
  removeOldSharedViews,
  revokeSharedView,
} from '../../src/store/accounts/shared-views.ts'
import {
  forgetAttempts,
  returnAttempt,
  hasSucceededSince,
  recordSignInSuccess,
  removeOldAttempts,
  restartFutureDelays,
  takeSignInAttempt,
} from '../../src/store/accounts/sign-in-attempts.ts'
import { emptyStore, freshId, type StoreHarness } from './store-samples.ts'
import type { Store } from '../../src/store/store.ts'
import { findUserRole } from '../../src/store/accounts/user-roles.ts'
import {
  changeCredentials,
  changeMember,
  findOwner,
  findUserByEmail,
  findUserByIdentity,
  forgetPassword,
  getUser,
  hasIdentityOf,
  hasUserWhoSignsIn,
  insertIdentity,
  insertUser,
  listMembers,
  recordSignIn,
  readPasswordHash,
  type User,
} from '../../src/store/accounts/users.ts'

export function declareAccountTests(harness: StoreHarness): void {
  let store: Store
  let organizationId: string

  beforeEach(async () => {
    store = harness.store()
    await emptyStore(store)
    await store.durable.deleteFrom('signInAttempts').execute()
    organizationId = freshId()
    await insertOrganization(store.durable, { id: organizationId, name: 'Example', createdAt: 1 })
  })

  const seedUser = async (change: Partial<User> = {}): Promise<User> => {
    const id = `user_${freshId()}`
    const user: User = { id, organizationId, name: 'Ann', email: `${id}@example.com`, role: 'owner', createdAt: 3 }
    const seeded = { ...user, ...change }
    await insertUser(store.durable, seeded)
    return seeded
  }

  describe('links and sessions', () => {
    it('takes a link to sign in once, and none that has expired', async () => {
      const user = await seedUser()
      const link = { userId: user.id, createdAt: 1, expiresAt: 10 }
      await insertSignInLink(store.durable, { ...link, hash: 'a' })
      await insertSignInLink(store.durable, { ...link, hash: 'b' })
      const looked = await findSignInLink(store.durable, 'a', 9)

      const taken = await Promise.all([
        consumeSignInLink(store.durable, 'a', 9),
        consumeSignInLink(store.durable, 'a', 9),
      ])

      expect(looked).toEqual({ user, hasPassword: false, expiresAt: 10 })
      expect(taken.filter((userId) => userId === user.id)).toHaveLength(1)
      expect(taken).toContain(null)
      expect(await findSignInLink(store.durable, 'b', 10)).toBeNull()
      expect(await consumeSignInLink(store.durable, 'b', 10)).toBeNull()
      expect(await findOwner(store.durable, organizationId)).toEqual(user)
    })

    it('knows the user of a session until the session ends or has been idle too long', async () => {
      const user = await seedUser()
      const session = { userId: user.id, createdAt: 1, expiresAt: 20 }
      await insertSession(store.durable, { ...session, hash: 'a', idleUntil: 10 })
      await insertSession(store.durable, { ...session, hash: 'b', idleUntil: 30 })
      await insertSession(store.durable, { ...session, hash: 'c', idleUntil: 10 })

      await touchSession(store.durable, 'c', 15)

      expect(await findSessionUser(store.durable, 'a', 9)).toEqual({ user, idleUntil: 10 })
      expect(await findSessionUser(store.durable, 'a', 10)).toBeNull()
      expect(await findSessionUser(store.durable, 'b', 20)).toBeNull()
      expect(await findSessionUser(store.durable, 'c', 14)).toEqual({ user, idleUntil: 15 })
      await deleteExpiredSessions(store.durable, 10)
      expect(await findSessionUser(store.durable, 'a', 1)).toBeNull()
      await deleteSession(store.durable, 'b')
      expect(await findSessionUser(store.durable, 'b', 1)).toBeNull()
    })

    it('ends every session of one user and of no one else', async () => {
      const [ann, bob] = [await seedUser(), await seedUser()]
      const session = { createdAt: 1, expiresAt: 20, idleUntil: 20 }
      await insertSession(store.durable, { ...session, hash: 'a', userId: ann.id })
      await insertSession(store.durable, { ...session, hash: 'b', userId: bob.id })
      await insertSignInLink(store.durable, { hash: 'link', userId: ann.id, createdAt: 1, expiresAt: 20 })

      await deleteSessionsOf(store.durable, ann.id)

      expect(await findSessionUser(store.durable, 'a', 2)).toBeNull()
      expect(await consumeSignInLink(store.durable, 'link', 2)).toBeNull()
      expect(await findSessionUser(store.durable, 'b', 2)).toMatchObject({ user: bob })
    })
  })

  describe('users', () => {
    it('reads back what was written, without the password', async () => {
      const user = await seedUser({ email: null })
      await changeCredentials(store.durable, user.id, { name: 'Bea', email: 'bea@example.com', passwordHash: 'hash' })
      await recordSignIn(store.durable, user.id, 9)

      const changed = { ...user, name: 'Bea', email: 'bea@example.com' }
      expect(await getUser(store.durable, user.id)).toEqual({ ...changed, lastSignInAt: 9 })
      expect(await findUserByEmail(store.durable, 'bea@example.com')).toEqual(changed)
      expect(await readPasswordHash(store.durable, user.id)).toBe('hash')
      expect(await findUserRole(store.durable, organizationId, user.id)).toBe('owner')
      expect(await findUserRole(store.durable, 'another', user.id)).toBeNull()
      await forgetPassword(store.durable, user.id)
      expect(await readPasswordHash(store.durable, user.id)).toBeNull()
    })

    it('refuses a second user with the same email address, and accepts many without one', async () => {
      await seedUser({ email: 'ann@example.com' })
      await seedUser({ email: null })
      await seedUser({ email: null })

      const second = seedUser({ email: 'ann@example.com' })

      await expect(second).rejects.toThrow(/unique.*email/iu)
    })

    it('knows whether somebody signs in with a password or a provider', async () => {
      const user = await seedUser()
      expect(await hasUserWhoSignsIn(store.durable, organizationId)).toBe(false)

      await insertIdentity(store.durable, { issuer: 'https://a', subject: '1', userId: user.id, createdAt: 1 })

      expect(await hasUserWhoSignsIn(store.durable, organizationId)).toBe(true)
      expect(await hasUserWhoSignsIn(store.durable, 'another')).toBe(false)
    })

    it('finds a user by issuer and subject together', async () => {
      const [ann, bob] = [await seedUser(), await seedUser()]
      await insertIdentity(store.durable, { issuer: 'https://a', subject: '1', userId: ann.id, createdAt: 1 })
      // Bound already: stays with its user.
      await insertIdentity(store.durable, { issuer: 'https://a', subject: '1', userId: bob.id, createdAt: 1 })

      expect(await findUserByIdentity(store.durable, { issuer: 'https://a', subject: '1' })).toEqual(ann)
      expect(await findUserByIdentity(store.durable, { issuer: 'https://b', subject: '1' })).toBeNull()
      expect(await hasIdentityOf(store.durable, ann.id, 'https://a')).toBe(true)
      expect(await hasIdentityOf(store.durable, ann.id, 'https://b')).toBe(false)
    })

    it('lists the members of one organization, page by page', async () => {
      const users = [await seedUser(), await seedUser(), await seedUser()]

      const first = await listMembers(store.durable, { organizationId, limit: 2 })
      const second = await listMembers(store.durable, { organizationId, limit: 2, cursor: first.nextCursor })

      expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(users.map(({ id }) => id))
      expect((await listMembers(store.durable, { organizationId: 'another', limit: 2 })).items).toEqual([])
    })

    it('keeps the last owner, even when two owners leave concurrently', async () => {
      const [ann, bob] = [await seedUser(), await seedUser()]
      const editor = await seedUser({ role: 'editor' })
      const change = (userId: string, role: User['role'] | null) =>
        changeMember(store.durable, { organizationId, userId, role })

      const outcomes = await Promise.all([change(ann.id, null), change(bob.id, 'viewer')])

      expect(outcomes.toSorted()).toEqual(['changed', 'last-owner'])
      const { items } = await listMembers(store.durable, { organizationId, limit: 9 })
      expect(items.filter(({ role }) => role === 'owner')).toHaveLength(1)
      expect(await change(editor.id, null)).toBe('changed')
      expect(await change(editor.id, 'owner')).toBe('missing')
      expect(await changeMember(store.durable, { organizationId: 'another', userId: ann.id, role: 'viewer' })).toBe(
        'missing',
      )
    })

    it("deletes a removed member's sessions and identities", async () => {
      await seedUser()
      const user = await seedUser({ role: 'viewer' })
      await insertSession(store.durable, { hash: 'a', userId: user.id, createdAt: 1, expiresAt: 20, idleUntil: 20 })
      await insertIdentity(store.durable, { issuer: 'https://a', subject: '1', userId: user.id, createdAt: 1 })

      await changeMember(store.durable, { organizationId, userId: user.id, role: null })

      expect(await findSessionUser(store.durable, 'a', 2)).toBeNull()
      expect(await findUserByIdentity(store.durable, { issuer: 'https://a', subject: '1' })).toBeNull()
    })
  })

  describe('attempts to sign in', () => {
    const delays = { freeFailures: 2, delayMs: 1_000, delayMsMax: 5_000, forgetBefore: 0 }
    /** @returns How long to wait; null if the attempt is allowed. */
    const take = async (now: number, change: object = {}) => {
      const attempt = { subject: 'account:a', now, ...delays, ...change }
      const taken = await takeSignInAttempt(store.durable, attempt)
      return taken.isTaken ? null : taken.waitMs
    }

    it('wait longer after each failure, up to a bound', async () => {
      const waits: (number | null)[] = []
      for (const now of [10, 10, 10, 11, 1_010, 1_011, 3_010, 3_011, 7_010, 12_009, 12_010]) waits.push(await take(now))

      // Two are free; the third sets 1 s, then 2 s, 4 s, and from then on 5 s.
      expect(waits).toEqual([null, null, null, 999, null, 1_999, null, 3_999, null, 1, null])
    })

    it('wait no longer than their delay after the clock was set back', async () => {
      const dayMs = 86_400_000
      for (let count = 0; count < 3; count++) await take(30 * dayMs)
      const restart = (now: number) =>
        restartFutureDelays(store.durable, { subjects: ['account:a'], now, delayMsMax: delays.delayMsMax })

      await restart(1_000)
      const waits = [await take(1_001), await take(1_999), await take(2_000)]
      await restart(2_001)

      expect([...waits, await take(2_001)]).toEqual([999, 1, null, 1_999])
    })

    it('remember a success', async () => {
      await recordSignInSuccess(store.durable, 'success:a', 10)
      await recordSignInSuccess(store.durable, 'success:a', 20)
      await removeOldAttempts(store.durable, { failedBefore: 100, succeededBefore: 20 })

      expect(await hasSucceededSince(store.durable, 'success:a', 20)).toBe(true)
      expect(await hasSucceededSince(store.durable, 'success:a', 21)).toBe(false)
      expect(await hasSucceededSince(store.durable, 'success:b', 0)).toBe(false)
    })

    it('allow no more concurrently than one by one', async () => {
      const waits = await Promise.all(Array.from({ length: 40 }, () => take(10)))

      expect(waits.filter((wait) => wait === null)).toHaveLength(3)
    })

    it('are forgotten after a success, after a while, and one by one', async () => {
      for (let count = 0; count < 3; count++) await take(10)
      expect(await take(11)).toBe(999)

      await returnAttempt(store.durable, 'account:a')
      expect(await take(12)).toBeNull()
      expect(await take(13)).toBe(999)
      expect(await take(2_000, { forgetBefore: 1_999 })).toBeNull()
      expect(await take(2_001)).toBeNull()
      await forgetAttempts(store.durable, 'account:a')
      expect(await take(2_002)).toBeNull()
      await removeOldAttempts(store.durable, { failedBefore: 2_003, succeededBefore: 0 })
      expect(await store.durable.selectFrom('signInAttempts').selectAll().execute()).toEqual([])
    })
  })

  describe('views', () => {
    it('are saved once under a name of the member, and deleted by them alone', async () => {
      const [ann, ben] = [await seedUser(), await seedUser()]
      const view = { id: `view_${freshId()}`, userId: ann.id, name: 'Mine', query: 'view=gaps', createdAt: 1 }
      await saveView(store.durable, view)
      await saveView(store.durable, { ...view, id: `view_${freshId()}`, query: 'days=7' })

      await deleteSavedView(store.durable, { userId: ben.id, id: view.id })

      expect(await listSavedViews(store.durable, ann.id)).toEqual([{ ...view, query: 'days=7' }])
      expect(await listSavedViews(store.durable, ben.id)).toEqual([])
    })

    it('are shared until they expire or are revoked, which happens once', async () => {
      const id = `shared_${freshId()}`
      const period = { siteId: null, days: 30, filter: { caller: 'widget' as const } }
      const view = { ...period, id, organizationId, name: 'All', createdBy: 'Ann', createdAt: 1, expiresAt: 10 }
      await insertSharedView(store.durable, { ...view, hash: 'shared', revokedAt: null })
      expect(await findOpenSharedView(store.durable, 'shared', 9)).toEqual({ ...view, revokedAt: null })
      expect(await findOpenSharedView(store.durable, 'shared', 10)).toBeNull()

      expect(await revokeSharedView(store.durable, { organizationId: 'another', id, now: 2 })).toBeNull()
      await revokeSharedView(store.durable, { organizationId, id, now: 3 })
      await revokeSharedView(store.durable, { organizationId, id, now: 4 })

      expect(await findOpenSharedView(store.durable, 'shared', 5)).toBeNull()
      expect((await listSharedViews(store.durable, { organizationId, limit: 9 })).items).toEqual([
        { ...view, revokedAt: 3 },
      ])
      await removeOldSharedViews(store.durable, 11)
      expect((await listSharedViews(store.durable, { organizationId, limit: 9 })).items).toEqual([])
    })
  })

  describe('invitations', () => {
    const invitation = () => ({
      id: `invitation_${freshId()}`,
      organizationId,
      role: 'editor' as const,
      email: null,
      invitedBy: 'Ann',
      createdAt: 1,
      expiresAt: 10,
    })

    it('are taken once, and not when they have expired or were revoked', async () => {
      const [used, expired, revoked] = [invitation(), invitation(), invitation()]
      await insertInvitation(store.durable, { ...used, hash: 'used' })
      await insertInvitation(store.durable, { ...expired, hash: 'expired' })
      await insertInvitation(store.durable, { ...revoked, hash: 'revoked' })
      await revokeInvitation(store.durable, { organizationId, id: revoked.id, now: 2 })
      expect(await findOpenInvitation(store.durable, 'used', 9)).toMatchObject(used)

      const taken = await Promise.all([
        consumeInvitation(store.durable, 'used', 9),
        consumeInvitation(store.durable, 'used', 9),
      ])

      expect(taken.filter((each) => each !== null)).toEqual([{ ...used, usedAt: 9, revokedAt: null }])
      expect(await consumeInvitation(store.durable, 'expired', 10)).toBeNull()
      expect(await consumeInvitation(store.durable, 'revoked', 3)).toBeNull()
      for (const hash of ['used', 'revoked', 'none']) {
        expect(await findOpenInvitation(store.durable, hash, 9)).toBeNull()
      }
    })

    it('are listed newest first, revoked within their organization, and finally deleted', async () => {
      const [first, second] = [invitation(), invitation()]
      await insertInvitation(store.durable, { ...first, hash: 'a' })
      await insertInvitation(store.durable, { ...second, hash: 'b' })

      const { items, nextCursor } = await listInvitations(store.durable, { organizationId, limit: 1 })

      expect(items.map(({ id }) => id)).toEqual([second.id])
      expect(nextCursor).toBe(second.id)
      expect(await revokeInvitation(store.durable, { organizationId: 'another', id: first.id, now: 2 })).toBeNull()
      await removeOldInvitations(store.durable, 11)
      expect((await listInvitations(store.durable, { organizationId, limit: 9 })).items).toEqual([])
    })
  })

  describe('the audit log', () => {
    const entry = (change: Partial<AuditEntry> = {}): AuditEntry => ({
      changes: [{ field: 'name', from: 'A', to: 'B' }],
      id: `audit_${freshId()}`,
      organizationId,
      actor: { kind: 'user', id: 'user_1', name: 'Ann' },
      address: '192.0.2.1',
      action: 'key-created',
      target: { kind: 'key', id: 'key_1', name: 'Deploy' },
      createdAt: 10,
      ...change,
    })

    it('reads back what was written, newest first, page by page', async () => {
      const entries = [entry(), entry({ target: null, actor: { kind: 'local', id: null, name: 'Owner' } }), entry()]
      for (const each of entries) await insertAuditEntry(store.durable, each)

      const first = await listAuditEntries(store.durable, { organizationId, limit: 2 })
      const second = await listAuditEntries(store.durable, { organizationId, limit: 2, cursor: first.nextCursor })

      expect([...first.items, ...second.items]).toEqual(entries.toReversed())
      expect(second.nextCursor).toBeNull()
    })

    it('is filtered by action, actor, target and time, and to its organization', async () => {
      const found = entry({ action: 'key-revoked', createdAt: 20 })
      await insertAuditEntry(store.durable, found)
      await insertAuditEntry(store.durable, entry({ actor: { kind: 'key', id: 'key_2', name: 'CI' }, target: null }))
      const list = async (filter: object) =>
        (await listAuditEntries(store.durable, { organizationId, limit: 9, ...filter })).items.map(({ id }) => id)

      for (const filter of [
        { action: 'key-revoked' },
        { actorId: 'user_1' },
        { targetId: 'key_1' },
        { since: 20, until: 21 },
      ]) {
        expect(await list(filter)).toEqual([found.id])
      }
      expect(await list({ until: 10 })).toEqual([])
      expect(await list({ organizationId: 'another' })).toEqual([])
      await removeOldAuditEntries(store.durable, 20)
      expect(await list({})).toEqual([found.id])
    })
  })
}
