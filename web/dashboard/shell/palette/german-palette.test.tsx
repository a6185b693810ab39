import { afterEach, expect, it, vi } from 'vitest'
import { germanCheckPhrases, germanPhrases } from '../../testing/owner-phrases.ts'
import { context, objects, sites } from '../../testing/palette-samples.ts'

// Other files share the modules.
afterEach(() => {
  localStorage.clear()
  vi.resetModules()
})

it('finds in German what an owner means as the first hit for nine phrases of ten', async () => {
  localStorage.setItem('docent-language', 'de')
  vi.resetModules()
  const { prepareWords, say } = await import('../../../words/say.ts')
  await prepareWords()
  const { createDashboardRouter } = await import('../../router.tsx')
  const { createQueryClient } = await import('../../api/query-client.ts')
  const { toObjectCommand } = await import('./object-commands.ts')
  const { rankCommands } = await import('./rank-commands.ts')
  const { listPlaceCommands } = await import('./use-commands.ts')
  const { listWindowCommands } = await import('./window-commands.ts')
  const deps = { setTheme: () => {}, setLanguage: () => {}, signOut: () => {}, showShortcuts: () => {} }
  const commands = [
    ...listPlaceCommands(createDashboardRouter(createQueryClient(() => {})), context),
    ...listWindowCommands(deps, sites),
    ...objects.map((each) => toObjectCommand(each, context)),
  ]

  const misses = [...germanPhrases, ...germanCheckPhrases].flatMap(([typed, meant, name]) => {
    const siteId = sites.find((site) => site.name === name)?.id ?? null
    const first = rankCommands(commands, typed, { siteId, recent: [] })[0]?.label ?? ''
    return (typeof meant === 'string' ? first === meant : meant.test(first)) ? [] : [{ typed, first }]
  })

  expect(say('Sign out')).toBe('Abmelden')
  expect(misses).toEqual([])
})
