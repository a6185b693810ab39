import { screen, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { widgetDefaults } from '../../../../src/contract/widget-settings.ts'
import { openPage, type PageOptions } from '../../testing/open-page.tsx'
import { makeSite, page } from '../../testing/samples.ts'
import { findGenerator, listGeneratorLines } from './generator-lines.ts'
import { readOrigin } from './site-origins.tsx'

interface LiveOptions extends PageOptions {
  format?: string | null
  url?: string
}

function openLive({ format = null, url = 'https://docs.example.com/guide', ...answers }: LiveOptions = {}) {
  const { generation, ...site } = makeSite({ url })
  return openPage('/default/docs/live', {
    listSites: () => page([{ ...site, generation: generation && { ...generation, format } }]),
    getWidgetSettings: () => ({ ...widgetDefaults }),
    listWidgetOrigins: () => ({ items: [] }),
    ...answers,
  })
}

it('saves only what was changed', async () => {
  const { user, service } = openLive({ updateWidgetSettings: () => ({ ...widgetDefaults, label: 'Ask us' }) })

  await user.type(await screen.findByLabelText('Text of the button'), 'Ask us')
  await user.click(screen.getByRole('button', { name: 'Save' }))

  await screen.findByText('Saved. Your website shows it within five minutes.')
  expect(service.bodies('updateWidgetSettings')).toEqual([{ label: 'Ask us' }])
})

it('suggests the address that the site has, adds its origin, and tells of the first question', async () => {
  const { user, service } = openLive({
    addWidgetOrigin: () => ({ items: [] }),
    listWidgetOrigins: () => ({
      items:
        service.bodies('addWidgetOrigin').length === 0
          ? []
          : [{ origin: 'https://docs.example.com', askedAt: new Date().toISOString() }],
    }),
  })

  expect(await screen.findByLabelText('Address of your website')).toHaveProperty(
    'value',
    'https://docs.example.com/guide',
  )
  await user.click(screen.getByRole('button', { name: 'Add address' }))

  const list = within(await screen.findByRole('list', { name: 'Addresses' }))
  await list.findByText(/^Live: asked/)
  await screen.findByText('It is live: a reader asked on https://docs.example.com.')
  expect(service.bodies('addWidgetOrigin')).toEqual([{ origin: 'https://docs.example.com' }])
})

it('makes an address that readers can open that of the links, and no other', async () => {
  const { user, service } = openLive({
    url: 'http://localhost:3000/sites/docs',
    addWidgetOrigin: () => ({ items: [] }),
    updateSite: () => makeSite(),
  })

  await user.type(await screen.findByLabelText('Address of your website'), 'http://localhost:5173')
  expect(screen.getByRole('checkbox', { name: /^Links in answers/ })).toHaveProperty('checked', false)
  await user.click(screen.getByRole('button', { name: 'Add address' }))
  await screen.findByText('Address added.')
  await user.type(screen.getByLabelText('Address of your website'), 'docs.example.com/guide/')
  await user.click(screen.getByRole('button', { name: 'Add address' }))

  await vi.waitFor(() => expect(service.bodies('updateSite')).toEqual([{ url: 'https://docs.example.com/guide' }]))
  expect(service.bodies('addWidgetOrigin')).toEqual([
    { origin: 'http://localhost:5173' },
    { origin: 'https://docs.example.com' },
  ])
})

it('shows the line for the generator of the site, and each of the others', async () => {
  const { user } = openLive({ format: 'mkdocs' })

  await screen.findByText('overrides/main.html')
  await user.selectOptions(screen.getByLabelText('Your site is made with'), 'Docusaurus')

  await screen.findByText('docusaurus.config.js (or .ts)')
  const { textContent: code } = screen.getByLabelText('line for the website')
  expect(code).toContain("src: 'http://localhost:3000/widget.js', 'data-site': 'docs'")
})

it('says what a check has found', async () => {
  const { user, service } = openLive({
    checkWidget: () => ({
      origin: 'https://docs.example.com',
      steps: [{ name: 'tag', state: 'failed', message: 'The page has no script tag.' }],
    }),
  })

  await user.click(await screen.findByRole('button', { name: 'Check the page' }))

  const results = within(await screen.findByRole('list', { name: 'Check results' }))
  results.getByText('The page has no script tag.')
  expect(service.bodies('checkWidget')).toEqual([{ url: 'https://docs.example.com/guide' }])
})

it('lets viewers look, and change nothing', async () => {
  openLive({ role: 'viewer' })

  await screen.findByText('Only editors and owners can change this.')
  await screen.findByText('Ask an owner to add the address of your website.')
  for (const name of ['Save', 'Add address', 'Check the page']) {
    expect(screen.queryByRole('button', { name })).toBeNull()
  }
})

it.each([
  ['docs-json', 'mintlify'],
  ['fumadocs', 'next'],
  ['docusaurus', 'docusaurus'],
  ['markdown', 'html'],
  [null, 'html'],
])('knows the generator of the format %s', (format, id) => {
  expect(findGenerator(format, listGeneratorLines({ baseUrl: 'https://docent.example.com', site: 'docs' }))).toBe(id)
})

it.each([
  ['docs.example.com/guide', 'https://docs.example.com'],
  ['http://localhost:3000/', 'http://localhost:3000'],
  ['https://*.example.com', 'https://*.example.com'],
])('finds the origin in %s', (text, origin) => {
  expect(readOrigin(text)).toBe(origin)
})
