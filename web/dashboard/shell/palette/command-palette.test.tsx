import { screen } from '@testing-library/react'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { allOperations } from '../../../../src/contract/operations/all-operations.ts'
import type { Operation } from '../../../../src/contract/operations/operation.ts'
import { createQueryClient } from '../../api/query-client.ts'
import { createDashboardRouter } from '../../router.tsx'
import { openPage } from '../../testing/open-page.tsx'
import { context, found, objects, sites } from '../../testing/palette-samples.ts'
import { makeKey, makeSite, page } from '../../testing/samples.ts'
import { placedActions } from './action-commands.ts'
import { toObjectCommand } from './object-commands.ts'
import {
  checkPhrases,
  confirmingPhrases,
  finalPhrases,
  freshPhrases,
  heldOutPhrases,
  lastPhrases,
  laterPhrases,
  newestPhrases,
  type OwnerPhrase,
  ownerPhrases,
  questionPhrases,
  synonymPhrases,
  otherStrangerPhrases,
  strangerPhrases,
  taskPhrases,
  unseenPhrases,
} from '../../testing/owner-phrases.ts'
import { rankCommands } from './rank-commands.ts'
import { listPlaceCommands } from './use-commands.ts'
import { listWindowCommands } from './window-commands.ts'

const deps = { setTheme: () => {}, setLanguage: () => {}, signOut: () => {}, showShortcuts: () => {} }
const router = createDashboardRouter(createQueryClient(() => {}))
const commands = [
  ...listPlaceCommands(router, context),
  ...listWindowCommands(deps, sites),
  ...objects.map((each) => toObjectCommand(each, context)),
]

function listMisses(phrases: readonly OwnerPhrase[]) {
  return phrases.flatMap(([typed, meant, name]) => {
    const siteId = sites.find((site) => site.name === name)?.id ?? null
    const first = rankCommands(commands, typed, { siteId, recent: [] })[0]?.label ?? ''
    return (typeof meant === 'string' ? first === meant : meant.test(first)) ? [] : [{ typed, meant, first }]
  })
}

it('finds what an owner means as the first hit for nine phrases of ten', () => {
  const sets = {
    ownerPhrases,
    laterPhrases,
    heldOutPhrases,
    lastPhrases,
    freshPhrases,
    newestPhrases,
    unseenPhrases,
    finalPhrases,
    synonymPhrases,
    questionPhrases,
    checkPhrases,
    taskPhrases,
    confirmingPhrases,
    strangerPhrases,
    otherStrangerPhrases,
  }

  const missed = Object.entries(sets).map(([name, phrases]) => [name, listMisses(phrases).map(({ typed }) => typed)])

  expect(Object.fromEntries(missed)).toEqual({
    // Both name what is missed: a site is called Help, and a conversation is about the limit.
    ownerPhrases: ['rate limits', 'help'],
    laterPhrases: ['back to overview', 'who is admin', 'try it out'],
    heldOutPhrases: [],
    lastPhrases: [],
    freshPhrases: ['why is acme failing', 'weekly report schedule'],
    newestPhrases: ['which pages are missing'],
    unseenPhrases: ['crawl our help center', 'docs holes'],
    finalPhrases: [],
    synonymPhrases: ['worst answers', 'translate docs to german', 'run every monday'],
    questionPhrases: ['what could the bot not answer', 'why did search not find it', 'webook failed'],
    checkPhrases: [],
    taskPhrases: [
      'how many people used the bot yesterday',
      'change welcome message',
      'docs folder moved',
      'what is missing in our docs',
      'too bright',
      'token for github actions',
      'see what a visitor asked',
      'retention of conversations',
    ],
    otherStrangerPhrases: ['review edits', "couldn't answer"],
    strangerPhrases: ['agent runs', 'help', 'last sync', 'missing docs', 'allowed domains'],
    confirmingPhrases: ['docs are not up to date', 'write a test'],
  })
})

const onPage = {
  listSites: () => page(sites),
  findObjects: () => ({ items: objects }),
  listKeys: () => page([makeKey()]),
}
const openPalette = async ({ user }: ReturnType<typeof openPage>, typed: string) => {
  await user.keyboard('{Control>}k{/Control}')
  await user.click(await screen.findByRole('combobox', { name: 'Search pages, objects and actions' }))
  await user.paste(typed)
}

it('takes names for what they are: neither a site nor a conversation is what it is called after', () => {
  const billing = makeSite({ id: 'Billing', name: 'Billing', slug: 'billing' })
  const ofSite = listPlaceCommands(router, { ...context, sites: [...sites, billing] })
  const asked = toObjectCommand(found('conversation', 'How do I limit spending per day?', 'Hono'), context)

  const [first] = rankCommands([...ofSite, asked], 'stop spending', { siteId: 'Hono', recent: [] })

  expect(first?.label).toBe('Hono › Settings')
})

it('finds what has one of the words where nothing has half of them', () => {
  const [first] = rankCommands(commands, 'allowed domains for the widget launcher', { siteId: null, recent: [] })

  expect(first?.label).toMatch(/^API keys$|› Put it live$/)
})

it('does an action of another page, with the keyboard alone, and lists it first the next time', async () => {
  const opened = openPage('/default/automations', {
    ...onPage,
    listAutomations: () => page([]),
    listKeyUsage: () => page([]),
  })
  await screen.findByRole('heading', { name: 'Automations' })

  await openPalette(opened, 'key create')
  await screen.findByRole('option', { name: /^Create a key/ })
  await opened.user.keyboard('{Enter}')

  await screen.findByRole('dialog', { name: /key/i })
  expect(location.pathname).toBe('/dashboard/default/keys')
  await opened.user.keyboard('{Escape}')
  await opened.user.keyboard('{Control>}k{/Control}')
  await screen.findByRole('combobox', { name: 'Search pages, objects and actions' })
  const groups = screen.getAllByRole('group').map((group) => group.textContent)
  expect(groups[0]).toMatch(/^On this pageCreate key/)
  expect(groups[1]).toMatch(/^RecentCreate a key/)
})

it('finds objects that the service finds for the words, and offers no action that the role may not take', async () => {
  const opened = openPage('/default/members', {
    ...onPage,
    role: 'viewer',
    listMembers: () => page([]),
    findObjects: ({ query }) => ({ items: query['search'] === 'old reef' ? [found('job', 'The old reef', 'x')] : [] }),
  })
  await screen.findByRole('heading', { name: 'Members' })

  await openPalette(opened, 'create key')
  expect(screen.queryByRole('option', { name: /^Create a key/ })).toBeNull()
  await opened.user.clear(screen.getByRole('combobox'))
  await opened.user.paste('old reef')

  await screen.findByRole('option', { name: /^The old reef/ })
})

it('has a control for every placed action, and places every change that is not made to an object on its page', () => {
  const folder = join(import.meta.dirname, '../../pages')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.tsx'))
  const sources = files.map((path) => readFileSync(join(folder, path), 'utf8')).join('\n')
  const placed = placedActions.filter(({ isPage }) => isPage !== true).map(({ operation }) => operation.id)

  expect(placed.filter((id) => !new RegExp(String.raw`data-command=\{\w+\.${id}\.id\}`).test(sources))).toEqual([])
  const general = Object.values<Operation>(allOperations).filter(
    ({ path, audit }) => audit !== undefined && /^\/admin\/v1\/[\w-]+$|^\/v2\/agent\/\{projectId\}\/job$/.test(path),
  )
  const missing = general.filter(({ id }) => placedActions.every(({ operation }) => operation.id !== id))
  // Made by git, by the steps of a new site, of the view that is shown, and on the server.
  expect(missing.map(({ id }) => id)).toEqual([
    'openPullRequest',
    'importRepository',
    'createSharedView',
    'createOwnerLink',
  ])
})
