import { expect, it } from 'vitest'
import type { ProgramCall, ProgramOutcome } from './agent-program.ts'
import { fixLinks } from './fix-links.ts'

/** Runs the program on pages whose links are text in brackets. @returns Its result, and the changed pages. */
function fix(files: Record<string, string>) {
  const pages = new Map(Object.entries(files))
  const routes = () => new Set([...pages.keys()].map((path) => `/${path.replace(/(?:(?:^|\/)index)?\.md$/, '')}`))
  const isBroken = (url: string) => !routes().has(url.replace(/[?#].*$/, '')) && !pages.has(url.slice(1))
  const run = ({ toolName, input }: ProgramCall): ProgramOutcome => {
    if (toolName === 'list') return { isOk: true, output: { paths: [...pages.keys()] } }
    if (toolName === 'check') {
      const problems = [...pages].flatMap(([path, text]) =>
        Array.from(text.matchAll(/\((.*?)\)/g), ([, url = '']) => url)
          .filter(isBroken)
          .map((url) => ({ rule: 'link-broken', path, message: `The link ${JSON.stringify(url)} leads nowhere.` })),
      )
      return { isOk: true, output: { problems } }
    }
    const { path, find, replace } = input as Record<string, string> // All that is left are edits.
    const text = pages.get(path ?? '') ?? ''
    if (!text.includes(find ?? '')) return { isOk: false, message: 'It is not there.' }
    pages.set(path ?? '', text.replaceAll(find ?? '', replace ?? ''))
    return { isOk: true, output: {} }
  }
  const program = fixLinks()
  if (program === null) throw new Error('The instruction was not understood.')
  let step = program.next()
  while (!step.done) step = program.next(step.value.map(run))
  return { end: step.value, pages: Object.fromEntries(pages) }
}

it('points a link to the one page that its address suggests', () => {
  const { end, pages } = fix({
    'guide/index.md': 'Home',
    'guide/install.md': 'Install',
    'a.md': '[one](/old/install) [two](/guied?x#y) [three](/old/install.md)',
    'guides.md': 'Other',
  })

  expect(pages['a.md']).toBe('[one](/guide/install) [two](/guied?x#y) [three](/guide/install.md)')
  expect(end.summary).toContain('Fixed 2 broken links')
  expect(end.notDone).toContain('/guied?x#y on a.md')
})

it('points to the folder of an index page, and keeps anchor and query', () => {
  const { pages } = fix({ 'index.md': 'Home', 'guide/index.md': 'Guide', 'a.md': '[one](/guid#begin)' })

  expect(pages['a.md']).toBe('[one](/guide#begin)')
})
