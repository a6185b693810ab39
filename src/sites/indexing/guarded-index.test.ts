import { expect, it } from 'vitest'
import { IndexReadError } from '../../search/index-file/index-read-error.ts'
import type { SearchIndex } from '../../search/search-query.ts'
import { GuardedIndex } from './guarded-index.ts'

const outsider = { readerGroups: [], isSignedIn: false }

/** An index that is only asked for pages. */
const indexOf = (readPage: SearchIndex['readPage']) => ({ header: {}, readPage }) as unknown as SearchIndex

const fail = (reason: Error) => () => Promise.reject(reason)
const whole = indexOf(() => Promise.resolve(null))
const lost = new IndexReadError('lost', 'The search stopped unexpectedly. Repeat the search.')

it('retries on the index that is served by then, and continues with it', async () => {
  const asked: SearchIndex[] = []
  const broken = indexOf(fail(lost))
  const guarded = new GuardedIndex(broken, (index) => {
    asked.push(index)
    return Promise.resolve(whole)
  })

  const pages = [await guarded.readPage('/a', outsider), await guarded.readPage('/a', outsider)]

  expect(pages).toEqual([null, null])
  expect(asked).toEqual([broken])
})

it("passes on errors that are not the index's fault, without investigating", async () => {
  const gone = new Error('The reader is gone.')
  const guarded = new GuardedIndex(indexOf(fail(gone)), () => Promise.resolve(whole))

  await expect(guarded.readPage('/a', outsider)).rejects.toBe(gone)
})

it('passes on a failed read of an intact index, which is a bug', async () => {
  const failed = new IndexReadError('failed', 'rows is not iterable')
  const guarded = new GuardedIndex(indexOf(fail(failed)), (_index, error) => Promise.reject(error))

  await expect(guarded.readPage('/a', outsider)).rejects.toBe(failed)
})

it('answers with 503 if the thread ends twice, without a third attempt', async () => {
  let asked = 0
  const broken = indexOf(() => {
    asked++
    return Promise.reject(lost)
  })
  const guarded = new GuardedIndex(broken, () => Promise.resolve(broken))

  await expect(guarded.readPage('/a', outsider)).rejects.toMatchObject({ code: 'overloaded', cause: lost })
  expect(asked).toBe(2)
})
