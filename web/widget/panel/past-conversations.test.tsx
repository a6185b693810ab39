import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { listPast, readPast, removePast, savePast } from './past-conversations.ts'
import { makeTurn } from './turn.ts'

beforeEach(() => localStorage.clear())
afterEach(() => vi.unstubAllGlobals())

const thread = (chatId: string) => ({ chatId, turns: [makeTurn(`Question ${chatId}`, '')] })
const titles = () => listPast('docs').map(({ title }) => title)

it('keeps the last twenty conversations, each once, the newest first', () => {
  for (let count = 1; count <= 25; count++) savePast('docs', thread(String(count)))
  savePast('docs', thread('10'))

  expect(titles().slice(0, 2)).toEqual(['Question 10', 'Question 25'])
  expect(titles()).toHaveLength(20)
  expect(readPast('docs', '10')?.turns.map(({ question }) => question)).toEqual(['Question 10'])
  expect(readPast('docs', '1')).toBeNull()
  expect(localStorage.length).toBe(21)
})

it('keeps nothing of a conversation without a question, and knows those of other sites apart', () => {
  savePast('docs', { chatId: '1', turns: [] })
  savePast('other', thread('2'))

  expect(titles()).toEqual([])
})

it('ignores entries of other scripts', () => {
  localStorage.setItem(
    'docent-history:docs',
    JSON.stringify([null, 'x', 7, { chatId: 1 }, { chatId: 'a', title: 'b' }]),
  )

  savePast('docs', thread('1'))

  expect(titles()).toEqual(['Question 1'])
})

it('deletes one, or all', () => {
  for (const id of ['1', '2', '3']) savePast('docs', thread(id))

  removePast('docs', '2')
  expect(titles()).toEqual(['Question 3', 'Question 1'])
  expect(readPast('docs', '2')).toBeNull()
  removePast('docs', null)

  expect(titles()).toEqual([])
  expect(localStorage.length).toBe(1)
})

it('lets the oldest go where there is no room', () => {
  for (const id of ['1', '2', '3']) savePast('docs', thread(id))
  const real = window.localStorage
  const setItem = vi.fn((name: string, value: string) => {
    if (setItem.mock.calls.length === 1) throw new DOMException('full', 'QuotaExceededError')
    real.setItem(name, value)
  })
  const rest = { getItem: (name: string) => real.getItem(name), removeItem: (name: string) => real.removeItem(name) }
  vi.stubGlobal('localStorage', { ...rest, setItem })

  savePast('docs', thread('4'))

  expect(setItem).toHaveBeenCalledTimes(3)
  expect(titles()).toEqual(['Question 4', 'Question 3', 'Question 2'])
  expect(readPast('docs', '1')).toBeNull()
})
