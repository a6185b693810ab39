import { expect, it } from 'vitest'
import { WriteGate } from './write-gate.ts'

/** Runs all promise callbacks that are ready. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

function setup(waitMsMax = 10_000) {
  const gate = new WriteGate(waitMsMax)
  const log: string[] = []
  const statement = (name: string) =>
    gate.passStatement(() => {
      log.push(name)
      return Promise.resolve(name)
    })
  const transaction = async (name: string) => {
    const release = await gate.enterTransaction()
    log.push(`${name} begins`)
    return () => {
      log.push(`${name} ends`)
      release()
    }
  }
  return { gate, log, statement, transaction }
}

it('sends a statement in the same turn when nothing is open', () => {
  const { log, statement } = setup()

  void statement('a')

  expect(log).toEqual(['a'])
})

it('holds back statements and transactions while one is open, and admits them in order of arrival', async () => {
  const { log, statement, transaction } = setup()
  const endFirst = await transaction('first')
  const waiting = [statement('a'), statement('b')]
  const second = transaction('second')
  const last = statement('c')
  await settle()

  endFirst()
  await settle()
  const endSecond = await second
  endSecond()
  await Promise.all([...waiting, last])

  expect(log).toEqual(['first begins', 'first ends', 'a', 'b', 'second begins', 'second ends', 'c'])
})

it('sends an admitted statement before any transaction that comes after can begin', async () => {
  const { log, statement, transaction } = setup()
  const endFirst = await transaction('first')
  const admitted = statement('a')

  endFirst()
  const second = transaction('second')

  expect(log).toEqual(['first begins', 'first ends', 'a'])
  await admitted
  const endSecond = await second
  endSecond()
})

it('opens only once, however often it is released', async () => {
  const { gate, log, transaction } = setup()
  const release = await gate.enterTransaction()
  const second = transaction('second')
  release()
  const endSecond = await second

  release()
  void gate.passStatement(() => Promise.resolve(log.push('a')))

  expect(log).toEqual(['second begins'])
  endSecond()
  expect(log).toEqual(['second begins', 'second ends', 'a'])
})

it('times out a write that waits for its own transaction, and continues', async () => {
  const { log, statement, transaction } = setup(1)
  const end = await transaction('first')

  await expect(statement('inside')).rejects.toThrow('Inside a transaction, use only that transaction')

  end()
  await statement('after')
  expect(log).toEqual(['first begins', 'first ends', 'after'])
})

it('refuses all waiting writers, and leaves the open transaction alone', async () => {
  const { gate, log, statement, transaction } = setup()
  const end = await transaction('first')
  const waiting = Promise.allSettled([statement('a'), transaction('second')])

  gate.refuseAll(new Error('The store is closing.'))

  expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  end()
  expect(log).toEqual(['first begins', 'first ends'])
})
