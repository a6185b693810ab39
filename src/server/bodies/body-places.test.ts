import { expect, it } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { BodyPlaces, type BodyPlacesOptions } from './body-places.ts'

const never = new AbortController().signal

function setup(options: Partial<BodyPlacesOptions> = {}) {
  const places = new BodyPlaces(systemClock, { bytesMax: 100, ...options })
  const entered: string[] = []
  const enter = async (name: string, bytes: number, signal = never) => {
    const place = await places.enter({ address: name.charAt(0), bytes }, signal)
    entered.push(name)
    return place
  }
  return { enter, entered }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

it('holds no more bytes than it may, and lets the next in when one leaves, oldest first', async () => {
  const { enter, entered } = setup()
  const first = await enter('a1', 60)
  const waiting = [enter('b1', 50), enter('c1', 10), enter('d1', 40)]
  await settle()
  expect(entered).toEqual(['a1'])

  first.leave()
  first.leave()
  await settle()

  expect(entered).toEqual(['a1', 'b1', 'c1', 'd1'])
  for (const place of await Promise.all(waiting)) place.leave()
})

it('leaves room for others where one address has its share', async () => {
  const { enter, entered } = setup()
  const first = await enter('a1', 40)

  const second = enter('a2', 20)
  const other = await enter('b1', 20)
  expect(entered).toEqual(['a1', 'b1'])

  first.leave()
  await second
  expect(entered).toEqual(['a1', 'b1', 'a2'])
  other.leave()
})

it('takes the addresses of one IPv6 network for one client', async () => {
  const places = new BodyPlaces(systemClock, { bytesMax: 100 })
  const first = await places.enter({ address: '2001:db8:0:1::1', bytes: 40 }, never)
  let hasEntered = false

  const second = places.enter({ address: '2001:db8:0:1::2', bytes: 20 }, never).then((place) => {
    hasEntered = true
    return place
  })
  await settle()
  expect(hasEntered).toBe(false)

  first.leave()
  const place = await second
  place.leave()
})

it('takes one body of any size from an address that has none', async () => {
  const { enter } = setup()

  await expect(enter('a1', 100)).resolves.toBeDefined()
})

it('refuses who comes when too many wait, and who waits too long or goes, and forgets them', async () => {
  const { enter, entered } = setup({ waitingMax: 1, waitMsMax: 1 })
  const first = await enter('a1', 100)
  const gone = new AbortController()

  const late = enter('b1', 10)
  await expect(enter('c1', 10)).rejects.toMatchObject({ code: 'overloaded' })
  await expect(late).rejects.toMatchObject({ code: 'overloaded', headers: { 'Retry-After': '30' } })
  const leaving = enter('d1', 10, gone.signal)
  gone.abort(new Error('gone'))
  await expect(leaving).rejects.toThrow('gone')
  first.leave()
  await enter('e1', 100)

  expect(entered).toEqual(['a1', 'e1'])
})

it('tells nobody to wait for a time that a clock had shown before it was set back', async () => {
  let now = 30 * 86_400_000
  const places = new BodyPlaces({ now: () => now }, { bytesMax: 100, waitingMax: 0 })
  const first = await places.enter({ address: 'a', bytes: 100 }, never)
  now = 0

  const refused = places.enter({ address: 'b', bytes: 100 }, never)

  await expect(refused).rejects.toMatchObject({ code: 'overloaded', headers: { 'Retry-After': '30' } })
  first.leave()
})
