import { beforeEach, describe, expect, it } from 'vitest'
import { getInstallationValue, setInstallationValueIfAbsent } from '../../src/store/installation.ts'
import {
  findKeyByHash,
  getKey,
  insertKey,
  listKeys,
  restoreKey,
  revokeKey,
  touchKey,
} from '../../src/store/accounts/keys.ts'
import { insertMessages, listMessages } from '../../src/store/answers/messages.ts'
import { getOrganization, insertOrganization } from '../../src/store/accounts/organizations.ts'
import { getProject, insertProject, listProjects } from '../../src/store/accounts/projects.ts'
import { changeBrand, getBrand, getLogo } from '../../src/store/accounts/brands.ts'
import {
  deleteSite,
  getSite,
  getSiteByDomain,
  insertSite,
  listSites,
  type Site,
  updateSite,
} from '../../src/store/sites/sites.ts'
import { changeWidgetSettings, getWidgetSettings } from '../../src/store/sites/widget-settings.ts'
import type { Store } from '../../src/store/store.ts'
import {
  emptyStore,
  freshId,
  sampleKey,
  sampleMessage,
  sampleSite,
  sampleThread,
  seedSite,
  type StoreHarness,
} from './store-samples.ts'
import { summarizeThreads } from '../../src/store/answers/thread-summaries.ts'
import { getThread, listThreads, saveThreads } from '../../src/store/answers/threads.ts'

export function declareEntityTests(harness: StoreHarness): void {
  let store: Store
  let site: Site

  beforeEach(async () => {
    store = harness.store()
    await emptyStore(store)
    site = await seedSite(store)
  })

  describe('organizations and projects', () => {
    it('come back as they were written, and null when there is none', async () => {
      const organization = { id: freshId(), name: 'Änderung "1"', createdAt: 1_732_000_000_999 }
      const project = { id: 'default', organizationId: organization.id, name: 'Docs', createdAt: 5 }

      await insertOrganization(store.durable, organization)
      await insertProject(store.durable, project)

      expect(await getOrganization(store.durable, organization.id)).toEqual(organization)
      expect(await getProject(store.durable, 'default')).toEqual(project)
      expect(await getOrganization(store.durable, 'none')).toBeNull()
      expect(await getProject(store.durable, 'none')).toBeNull()
    })

    it('are listed by id in pages without omissions or repeats', async () => {
      const organizationId = freshId()
      await insertOrganization(store.durable, { id: organizationId, name: 'Other', createdAt: 1 })
      // Byte order: capitals come before small letters on both databases.
      const names = ['B', 'Z', '_', 'a', 'b']
      for (const id of ['a', 'B', '_', 'b', 'Z']) {
        await insertProject(store.durable, { id, organizationId, name: id, createdAt: 1 })
      }

      const pages: string[][] = []
      let cursor: string | null = null
      do {
        const page: Awaited<ReturnType<typeof listProjects>> = await listProjects(store.durable, {
          limit: 2,
          cursor,
          organizationId,
        })
        pages.push(page.items.map(({ id }) => id))
        cursor = page.nextCursor
      } while (cursor !== null)

      expect(pages).toEqual([names.slice(0, 2), names.slice(2, 4), names.slice(4)])
    })

    it('delete everything below them when they are deleted', async () => {
      const project = await getProject(store.durable, site.projectId)
      const organizationId = project?.organizationId ?? ''
      await insertKey(store.durable, sampleKey(organizationId))

      await store.durable.deleteFrom('organizations').where('id', '=', organizationId).execute()

      expect(await getProject(store.durable, site.projectId)).toBeNull()
      expect(await getSite(store.durable, site.id)).toBeNull()
      expect((await listKeys(store.durable, { limit: 5 })).items).toEqual([])
    })
  })

  describe('a brand', () => {
    let organizationId: string
    beforeEach(async () => {
      organizationId = (await getProject(store.durable, site.projectId))?.organizationId ?? ''
    })
    const change = (given: Partial<Parameters<typeof changeBrand>[2]>) =>
      changeBrand(store.durable, organizationId, { version: '2', ...given })

    it('keeps what is not changed, and is found by the projects of its organization', async () => {
      const before = await getBrand(store.durable, { organizationId })

      await change({ version: '1', color: '#5b3bb0', logo: Uint8Array.of(1, 2, 3) })
      await change({ color: null })

      expect(before).toBeNull()
      const brand = { organizationId, color: null, hasLogo: true, version: '2' }
      expect(await getBrand(store.durable, { organizationId })).toEqual(brand)
      expect(await getBrand(store.durable, site)).toEqual(brand)
      expect(await getBrand(store.durable, { projectId: 'none' })).toBeNull()
      expect(await getLogo(store.durable, organizationId)).toEqual(Buffer.of(1, 2, 3))
    })

    it('has no logo once it is removed', async () => {
      await change({ logo: Uint8Array.of(1) })
      await change({ logo: null })

      expect(await getLogo(store.durable, organizationId)).toBeNull()
      expect(await getBrand(store.durable, { organizationId })).toMatchObject({ hasLogo: false })
    })
  })

  describe('settings of the widget', () => {
    it('keep what several people set at once, and forget what is set to null', async () => {
      const change = (setting: Parameters<typeof changeWidgetSettings>[2]) =>
        changeWidgetSettings(store.durable, site.id, setting)
      const before = await getWidgetSettings(store.durable, site.id)

      await Promise.all([change({ label: 'Ask us' }), change({ history: false }), change({ position: 'left' })])
      const last = await change({ position: null, accentDark: '#aabbcc' })

      expect(before).toEqual({})
      expect(last).toEqual({ label: 'Ask us', history: false, accentDark: '#aabbcc' })
      expect(await getWidgetSettings(store.durable, site.id)).toEqual(last)
    })

    it('belong to their site', async () => {
      await changeWidgetSettings(store.durable, site.id, { mode: 'modal' })
      await deleteSite(store.durable, site.id)

      expect(await getWidgetSettings(store.durable, site.id)).toEqual({})
      expect(await changeWidgetSettings(store.durable, site.id, { mode: 'modal' })).toBeNull()
    })
  })

  describe('sites', () => {
    it('come back as they were written', async () => {
      const full = sampleSite(site.projectId, {
        hostnames: ['docs.example.com', 'localhost:3000'],
        identitySecretSealed: 'v1.a.b',
        baseUrl: null,
        source: { kind: 'folder', location: '/srv/x', ref: 'main', subdirectory: '' },
      })

      expect(await insertSite(store.durable, full)).toEqual({ written: true })

      expect(await getSite(store.durable, full.id)).toEqual(full)
      expect(await getSite(store.durable, 'none')).toBeNull()
    })

    it('are found case-insensitively by slug and by every host name, slugs first', async () => {
      const first = sampleSite(site.projectId, { slug: 'guide', hostnames: ['Docs.Example.com', 'manual'] })
      const second = sampleSite(site.projectId, { slug: 'manual' })
      await insertSite(store.durable, first)
      await insertSite(store.durable, second)

      const found = await Promise.all(
        ['guide', 'docs.example.COM', 'manual', 'nowhere'].map((domain) => getSiteByDomain(store.durable, domain)),
      )

      expect(found.map((each) => each?.id ?? null)).toEqual([first.id, first.id, second.id, null])
    })

    it('refuse a slug or a host name that another site has, and write nothing then', async () => {
      const first = sampleSite(site.projectId, { slug: 'guide', hostnames: ['a.example.com'] })
      await insertSite(store.durable, first)
      const sameSlug = sampleSite(site.projectId, { slug: 'guide', hostnames: ['b.example.com'] })
      const sameHost = sampleSite(site.projectId, { hostnames: ['b.example.com', 'A.example.com'] })

      const results = [await insertSite(store.durable, sameSlug), await insertSite(store.durable, sameHost)]

      expect(results).toEqual([
        { written: false, taken: 'slug', value: 'guide' },
        { written: false, taken: 'hostname', value: 'a.example.com' },
      ])
      expect(await getSite(store.durable, sameSlug.id)).toBeNull()
      expect(await getSite(store.durable, sameHost.id)).toBeNull()
      expect(await getSiteByDomain(store.durable, 'b.example.com')).toBeNull()
      expect((await getSiteByDomain(store.durable, 'a.example.com'))?.id).toBe(first.id)
    })

    it('change only the given fields, and release dropped host names', async () => {
      const before = sampleSite(site.projectId, { hostnames: ['a.example.com', 'b.example.com'] })
      await insertSite(store.durable, before)

      const result = await updateSite(store.durable, before.id, {
        name: 'New name',
        hostnames: ['b.example.com', 'c.example.com'],
      })

      expect(result).toEqual({ written: true })
      expect(await getSite(store.durable, before.id)).toEqual({
        ...before,
        name: 'New name',
        hostnames: ['b.example.com', 'c.example.com'],
      })
      const found = await Promise.all(
        ['a', 'b', 'c'].map((letter) => getSiteByDomain(store.durable, `${letter}.example.com`)),
      )
      expect(found.map((each) => each?.id ?? null)).toEqual([null, before.id, before.id])
    })

    it('keep everything when a change conflicts with another site', async () => {
      const other = sampleSite(site.projectId, { slug: 'other', hostnames: ['taken.example.com'] })
      const before = sampleSite(site.projectId, { hostnames: ['mine.example.com'] })
      await insertSite(store.durable, other)
      await insertSite(store.durable, before)

      const results = [
        await updateSite(store.durable, before.id, { slug: 'other', name: 'x' }),
        await updateSite(store.durable, before.id, { hostnames: ['new.example.com', 'taken.example.com'] }),
      ]

      expect(results).toEqual([
        { written: false, taken: 'slug', value: 'other' },
        { written: false, taken: 'hostname', value: 'taken.example.com' },
      ])
      expect(await getSite(store.durable, before.id)).toEqual(before)
      expect(await getSiteByDomain(store.durable, 'new.example.com')).toBeNull()
      expect((await getSiteByDomain(store.durable, 'mine.example.com'))?.id).toBe(before.id)
    })

    it('are listed by project in pages', async () => {
      const added = [sampleSite(site.projectId), sampleSite(site.projectId)]
      for (const each of added) await insertSite(store.durable, each)
      const expected = [site, ...added].map(({ id }) => id).sort()

      const first = await listSites(store.durable, { limit: 2, projectId: site.projectId })
      const second = await listSites(store.durable, { limit: 2, projectId: site.projectId, cursor: first.nextCursor })

      expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(expected)
      expect(second.nextCursor).toBeNull()
      expect((await listSites(store.durable, { limit: 9, projectId: 'none' })).items).toEqual([])
    })

    it('delete their keys, threads, messages and host names with them', async () => {
      const gone = sampleSite(site.projectId, { hostnames: ['gone.example.com'] })
      await insertSite(store.durable, gone)
      const organizationId = (await getProject(store.durable, site.projectId))?.organizationId ?? ''
      const key = sampleKey(organizationId, { kind: 'assistant', siteId: gone.id })
      const thread = sampleThread(gone.id)
      await insertKey(store.durable, key)
      await saveThreads(store.durable, [thread])
      await insertMessages(store.durable, [sampleMessage(thread)])

      expect(await deleteSite(store.durable, gone.id)).toBe(true)

      expect(await deleteSite(store.durable, gone.id)).toBe(false)
      expect(await getKey(store.durable, key.id)).toBeNull()
      expect(await getThread(store.durable, gone.id, thread.id)).toBeNull()
      expect((await listMessages(store.durable, gone.id, thread.id, { limit: 5 })).items).toEqual([])
      expect(await getSiteByDomain(store.durable, 'gone.example.com')).toBeNull()
    })
  })

  describe('keys', () => {
    it('come back by hash and id, without the hash', async () => {
      const organizationId = (await getProject(store.durable, site.projectId))?.organizationId ?? ''
      const { hash, ...key } = sampleKey(organizationId, { siteId: site.id })
      await insertKey(store.durable, { ...key, hash })

      expect(await findKeyByHash(store.durable, hash)).toEqual(key)
      expect(await getKey(store.durable, key.id)).toEqual(key)
      expect(await findKeyByHash(store.durable, 'unknown')).toBeNull()
    })

    it('are listed newest first', async () => {
      const organizationId = (await getProject(store.durable, site.projectId))?.organizationId ?? ''
      const keys = [sampleKey(organizationId), sampleKey(organizationId), sampleKey(organizationId)]
      for (const key of keys) await insertKey(store.durable, key)
      const newestFirst = keys.map(({ id }) => id).toReversed()

      const first = await listKeys(store.durable, { limit: 2, organizationId })
      const second = await listKeys(store.durable, { limit: 2, organizationId, cursor: first.nextCursor })

      expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(newestFirst)
      expect((await listKeys(store.durable, { limit: 2, siteId: site.id })).items).toEqual([])
    })

    it('keep the first revocation and the latest use', async () => {
      const organizationId = (await getProject(store.durable, site.projectId))?.organizationId ?? ''
      const key = sampleKey(organizationId)
      await insertKey(store.durable, key)

      await revokeKey(store.durable, key.id, 100)
      const revoked = await revokeKey(store.durable, key.id, 200)
      await touchKey(store.relaxed, key.id, 50)
      await touchKey(store.relaxed, key.id, 40)

      expect(revoked?.revokedAt).toBe(100)
      expect((await getKey(store.durable, key.id))?.lastUsedAt).toBe(50)
      expect(await revokeKey(store.durable, 'none', 1)).toBeNull()
    })

    it('take back a recent revocation only, and none of served pages', async () => {
      const organizationId = (await getProject(store.durable, site.projectId))?.organizationId ?? ''
      const [recent, old] = [sampleKey(organizationId), sampleKey(organizationId)]
      const ofPages = sampleKey(organizationId, { siteId: site.id, purpose: 'pages' })
      for (const key of [recent, old, ofPages]) await insertKey(store.durable, key)
      for (const key of [recent, ofPages]) await revokeKey(store.durable, key.id, 100)
      await revokeKey(store.durable, old.id, 99)

      const restored = [recent, old, ofPages].map(({ id }) => restoreKey(store.durable, id, 100))

      expect(await Promise.all(restored)).toEqual([true, false, false])
      expect((await getKey(store.durable, recent.id))?.revokedAt).toBeNull()
    })
  })

  describe('threads and messages', () => {
    it("keep a thread's first key, and advance only its time", async () => {
      const thread = sampleThread(site.id)
      await saveThreads(store.durable, [thread])

      await saveThreads(store.durable, [
        { ...thread, keyHash: 'hash-2', fp: 'eve', createdAt: 2_000, updatedAt: 3_000 },
      ])
      await saveThreads(store.durable, [{ ...thread, updatedAt: 2_000 }])

      expect(await getThread(store.durable, site.id, thread.id)).toEqual({ ...thread, updatedAt: 3_000 })
    })

    it('belong to one site: the same id on another site is another thread', async () => {
      const other = sampleSite(site.projectId)
      await insertSite(store.durable, other)
      const thread = sampleThread(site.id)

      await saveThreads(store.durable, [thread, { ...thread, siteId: other.id, keyHash: 'hash-of-other' }])

      expect((await getThread(store.durable, other.id, thread.id))?.keyHash).toBe('hash-of-other')
      expect((await getThread(store.durable, site.id, thread.id))?.keyHash).toBe('hash-1')
      expect(await getThread(store.durable, site.id, 'none')).toBeNull()
    })

    it('are listed last answered first, even with equal times and odd ids', async () => {
      const [a, b, c] = ['a.1', 'b.2.x', 'c'].map((id) => sampleThread(site.id, { id }))
      if (a === undefined || b === undefined || c === undefined) throw new Error('three were made')
      await saveThreads(store.durable, [a, b, { ...c, updatedAt: 500 }])

      const first = await listThreads(store.durable, site.id, { limit: 1 })
      const second = await listThreads(store.durable, site.id, { limit: 1, cursor: first.nextCursor })
      const third = await listThreads(store.durable, site.id, { limit: 1, cursor: second.nextCursor })

      expect([first, second, third].map(({ items }) => items[0]?.id)).toEqual(['b.2.x', 'a.1', 'c'])
      expect(third.nextCursor).toBeNull()
    })

    it('are summarized by their first question, the number of questions and the newest verdict', async () => {
      const [long, empty] = [sampleThread(site.id, { id: 'long' }), sampleThread(site.id, { id: 'empty' })]
      await saveThreads(store.durable, [long, empty])
      const ask = (text: string, createdAt: number) =>
        sampleMessage(long, { id: freshId(), role: 'user', text, verdict: null, createdAt })
      const answer = (verdict: string, createdAt: number) =>
        sampleMessage(long, { id: freshId(), role: 'assistant', verdict, createdAt })
      const messages = [ask('What is it?', 1), answer('supported', 2), ask('And then?', 3), answer('unanswered', 4)]
      await insertMessages(store.durable, messages)

      const summaries = await summarizeThreads(store.durable, site.id, ['long', 'empty', 'none'])

      expect([...summaries]).toEqual([['long', { question: 'What is it?', questions: 2, verdict: 'unanswered' }]])
      expect((await summarizeThreads(store.durable, site.id, [])).size).toBe(0)
    })

    it('return messages as they were written, oldest first, in pages', async () => {
      const thread = sampleThread(site.id)
      const question = sampleMessage(thread, {
        role: 'user',
        sources: [],
        citations: [],
        basis: null,
        verdict: null,
        generationId: null,
        model: null,
        usage: null,
        timings: null,
      })
      const answer = sampleMessage(thread)
      const later = sampleMessage(thread, { createdAt: 2_000 })
      await saveThreads(store.durable, [thread])
      await insertMessages(store.durable, [later, question, answer])

      const first = await listMessages(store.durable, site.id, thread.id, { limit: 2 })
      const second = await listMessages(store.durable, site.id, thread.id, { limit: 2, cursor: first.nextCursor })

      expect([...first.items, ...second.items]).toEqual([question, answer, later])
      expect(second.nextCursor).toBeNull()
    })
  })

  it('sets an installation value once: the first of many wins', async () => {
    const wins = await Promise.all(
      Array.from({ length: 20 }, (_, index) => setInstallationValueIfAbsent(store.durable, 'origin', `value-${index}`)),
    )

    expect(wins.filter(Boolean)).toHaveLength(1)
    expect(await getInstallationValue(store.durable, 'origin')).toBe(`value-${wins.indexOf(true)}`)
    expect(await getInstallationValue(store.durable, 'none')).toBeNull()
  })
}
