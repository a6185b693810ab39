import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createQueryClient } from '../api/query-client.ts'
import { createDashboardRouter } from '../router.tsx'
import { refuse } from '../testing/fake-service.ts'
import { openPage } from '../testing/open-page.tsx'
import { makeKey, makeSession, makeSite, page, someTime } from '../testing/samples.ts'

const lists = { listKeys: () => page([makeKey()]), listKeyUsage: () => page([]) }

it('asks who is not signed in, says what is wrong with a password, and goes on to the page that was asked for', async () => {
  const { user, service } = openPage('/default/keys', {
    ...lists,
    role: null,
    signIn: ({ body }) => {
      if (body.password !== 'right') return refuse(401, 'sign_in_failed', 'The password is wrong.')
      service.answers.getSession = () => makeSession('owner')
      return makeSession('owner')
    },
  })

  await user.type(await screen.findByLabelText('Email'), 'ada@example.com')
  await user.type(screen.getByLabelText('Password'), 'wrong')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  expect((await screen.findByRole('alert')).textContent).toBe('The password is wrong.')
  await user.clear(screen.getByLabelText('Password'))
  await user.type(screen.getByLabelText('Password'), 'right')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))

  await screen.findByRole('heading', { name: 'API keys' })
  expect(document.title).toBe('API keys · Default · Docent')
})

it('goes back to the sign-in when the session has ended elsewhere, with the page to come back to', async () => {
  const { user, service } = openPage('/default/keys', lists)
  await screen.findByText('Shop')

  service.answers.getSession = () => makeSession(null)
  service.answers.listMembers = () => refuse(401, 'session_missing', 'Sign in.')
  await user.click(screen.getByRole('link', { name: 'Members' }))

  await screen.findByRole('heading', { name: 'Sign in to Docent' })
  expect(new URLSearchParams(location.search).get('returnTo')).toMatch(/^\/dashboard\/default\/(?:keys|members)$/)
})

it('sends the form token of the session with what changes something, and with nothing else', async () => {
  const { user, service } = openPage('/default/docs', {
    syncSite: () => ({
      id: 'run_1',
      siteId: 'site_1',
      state: 'queued',
      cause: 'sync-requested',
      failure: null,
      progress: null,
      createdAt: someTime,
      finishedAt: null,
    }),
    listKeys: () => page([]),
  })

  await user.click(await screen.findByRole('button', { name: 'Sync now' }))

  await screen.findByText('Sync started.')
  const tokens = service.sent.map(({ id, headers }) => [id, headers.get('x-docent-form-token')])
  expect(tokens).toContainEqual(['syncSite', 'form-token'])
  expect(tokens).toContainEqual(['listSites', null])
})

it('says that there is no such site and no such page', async () => {
  const { unmount } = openPage('/default/no-such-site')
  await screen.findByText('There is no site with this name.')
  // The pages of a site that does not exist would lead to nothing.
  expect(screen.queryByRole('link', { name: 'Playground' })).toBeNull()
  unmount()

  openPage('/default/docs/no-such-page')

  await screen.findByRole('heading', { name: 'Page not found' })
  expect(screen.queryByRole('button', { name: 'Sync now' })).toBeNull()
})

it('says that the service does not answer, and reads everything again when it does', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { user, service } = openPage('/default/keys', lists)
  await screen.findByText('Shop')

  service.isReachable = false
  await user.click(screen.getByRole('link', { name: 'Audit log' }))
  await screen.findByText(/^Docent is not responding\. Retrying/)
  service.isReachable = true
  service.answers.listAuditEntries = () => page([])
  await act(() => vi.advanceTimersByTimeAsync(3_000))

  await screen.findByText('No entries yet')
  expect(screen.queryByText(/^Docent is not responding/)).toBeNull()
})

it('keeps the theme that was chosen', async () => {
  const { user } = openPage('/default/keys', lists)
  await user.click(await screen.findByRole('button', { name: 'Account of Ada Owner' }))

  await user.click(await screen.findByRole('menuitemradio', { name: 'Dark' }))

  expect(document.documentElement.dataset['theme']).toBe('dark')
  expect(localStorage.getItem('docent-theme')).toBe('dark')
})

it('shows names as what they are, whatever they hold', async () => {
  const hostile = `<img src=x onerror="document.title='hacked'">'"><script>document.title='hacked'</script>`
  const { user, container } = openPage('/default/keys', {
    ...lists,
    listKeys: () => page([makeKey({ name: hostile })]),
    listSites: () => page([makeSite({ name: hostile })]),
  })
  await screen.findAllByText(hostile)

  await user.click(screen.getByRole('button', { name: /^Search or run/ }))
  await screen.findAllByRole('option', { name: (name) => name.includes(hostile) })

  expect(document.title).not.toBe('hacked')
  expect(container.querySelector('img, script')).toBeNull()
})

/** For those who build pages; for people who are not signed in; and what only leads elsewhere. */
const withoutGuide = new Set(['/$organization/components', '/sign-in', '/accept', '/shared', '/', '/$organization'])

it('has a guide for every page, which is a page of the documentation', () => {
  const docs = resolve(import.meta.dirname, '../../../docs')
  const pages = Object.values(createDashboardRouter(createQueryClient(() => {})).routesById)
  const guides = pages
    .filter(({ fullPath, options }) => options.component !== undefined && !withoutGuide.has(fullPath))
    .map(({ fullPath, options }) => ({ fullPath, guide: options.staticData?.guide ?? '' }))

  expect(guides.length).toBeGreaterThan(25)
  expect(guides.filter(({ guide }) => !existsSync(join(docs, `${guide}.mdx`)))).toEqual([])
})

it('links the guide of the page that is shown', async () => {
  openPage('/default/keys', { listKeys: () => page([]), listKeyUsage: () => page([]) })

  const link = await screen.findByRole('link', { name: /^Guide/ })

  expect(link.getAttribute('href')).toMatch(/\/sites\/docs\/guides\/keys$/)
})

it('lists the sites with their icons, or their first letters where there is none, and says whose sync failed', async () => {
  const run = { id: 'run_1', siteId: 'site_2', cause: 'sync-requested', progress: null, finishedAt: someTime }
  const failed = { ...run, state: 'failed' as const, failure: 'The host is gone.', createdAt: someTime }
  openPage('/default/keys', {
    ...lists,
    listSites: () =>
      page([
        makeSite({ icon: '/sites/docs/favicon.svg' }),
        makeSite({ id: 'site_2', slug: 'help', name: 'help', generation: null, run: failed }),
      ]),
  })
  const navigation = within(await screen.findByRole('navigation', { name: 'Dashboard' }))

  const icon = (await navigation.findByRole('link', { name: 'Docs' })).querySelector('img')
  expect(icon?.getAttribute('src')).toBe('/sites/docs/favicon.svg')
  expect(navigation.getByRole('link', { name: /^help/ }).textContent).toBe('HhelpSync failed')
  if (icon !== null) fireEvent.error(icon)

  expect(navigation.getByRole('link', { name: 'Docs' }).textContent).toBe('DDocs')
})
